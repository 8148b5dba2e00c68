import Belfry
import BelfryConsole
import BelfryRecurrence
import BelfrySchedules
import Foundation

/// Brings a schedule file to a center, and tells what that changes.
struct ScheduleImport: Sendable {
    let schedule: NoticeSchedule
    let owner: String
    /// Where the file is followed.
    let watch: ScheduleWatch?
    let output: CommandOutput

    /// Throws ``ScheduleError``, and what `add` does.
    func bring(to center: NoticeCenter, isTrial: Bool) async throws {
        let report = try await center.synchronize(with: schedule, owner: owner, isTrial: isTrial)
        try await tell(report, of: center, isTrial: isTrial)
    }

    /// Until interrupted. What is wrong with an edit is told, and what was there stays.
    func follow(with center: NoticeCenter, _ events: NoticeCenter.Events? = nil, _ reporter: CenterReporter? = nil)
        async throws
    {
        guard let watch else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let events, let reporter {
                group.addTask {
                    for await event in events where !Self.isToldAnyway(event) { try reporter.report(event) }
                }
            }
            group.addTask {
                for await news in watch {
                    do {
                        let read = try news.get()
                        let report = try await center.synchronize(with: read, owner: owner)
                        if !report.changesNothing { try await tell(report, of: center, isTrial: false) }
                    } catch let error as ScheduleError {
                        for line in error.lines { complain(.invalidSchedule, line) }
                    } catch let error as NoticeError {
                        // A call that the interruption ended is no fault of the file.
                        try Task.checkCancellation()
                        complain(error.code, "\(schedule.source): \(error)")
                    }
                }
            }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    /// What the file has changed is told once, by its report.
    private static func isToldAnyway(_ event: CenterEvent) -> Bool {
        guard case .history(let entry) = event else { return false }
        return entry.outcome == .removed || entry.outcome == .replaced
    }

    private func complain(_ code: NoticeError.Code, _ message: String) {
        CommandOutput.complain(CommandFailure(code, message), json: output.json)
    }

    private func tell(_ report: NoticeCenter.SynchronizationReport, of center: NoticeCenter, isTrial: Bool) async throws
    {
        let zone = ZoneRules.system()
        let next = isTrial ? [:] : try await nextDates(of: center)
        func lines(_ ids: [String], _ change: String, _ verb: String, _ emphasis: LineStyle.Emphasis) throws {
            for id in ids {
                let date = next[id]
                try output.object([
                    ("id", .string(id)), ("change", .string(change)), ("trial", isTrial ? .bool(true) : nil),
                    ("next", date.map { .string(RFC3339.text($0, in: zone)) }),
                ])
                let word = (isTrial ? verb : change).padding(toLength: isTrial ? 14 : 10, withPad: " ", startingAt: 0)
                try output.line("\(word)\(id)\(date.map { ": " + ReadableDate.text($0, in: zone) } ?? "")", emphasis)
            }
        }
        try lines(report.added, "added", "would add", .good)
        try lines(report.updated, "updated", "would update", .good)
        try lines(report.removed, "removed", "would remove", .faint)
        for remark in report.reported {
            try output.object([
                ("id", .string(remark.entry)), ("change", .string("reported")), ("detail", .string(remark.message)),
            ])
            output.remark("'\(remark.entry)' is not added: \(remark.message)")
        }
        if output.json { for id in report.unchanged { try lines([id], "unchanged", "", .plain) } }
        for warning in report.warnings { output.remark(warning) }
        let counts = [
            (report.added, "added"), (report.updated, "updated"), (report.removed, "removed"),
            (report.unchanged, "unchanged"),
        ]
        let words = counts.filter { !$0.0.isEmpty }.map { "\($0.0.count) \($0.1)" }
        output.remark((isTrial ? "a trial: " : "") + (words.isEmpty ? "nothing to add" : words.joined(separator: ", ")))
    }

    /// When each request fires next, a series by its base.
    private func nextDates(of center: NoticeCenter) async throws -> [String: Date] {
        var dates: [String: Date] = [:]
        for notice in try await center.pending() {
            guard let next = notice.next else { continue }
            let id = notice.request.series ?? notice.id
            dates[id] = min(dates[id] ?? next, next)
        }
        return dates
    }
}
