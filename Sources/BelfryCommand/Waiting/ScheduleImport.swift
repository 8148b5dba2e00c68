import Belfry
import BelfryConsole
import BelfrySchedules
import FoundationEssentials

/// Adds a schedule file to a center, and reports the changes.
struct ScheduleImport: Sendable {
    let schedule: NoticeSchedule
    let owner: String
    /// The watch of the file; nil if the file is not followed.
    let watch: ScheduleWatch?
    let output: CommandOutput

    /// Synchronizes once. Throws ``ScheduleError`` and the errors of `add`.
    func perform(in center: NoticeCenter, isTrial: Bool) async throws {
        let report = try await center.synchronize(with: schedule, owner: owner, isTrial: isTrial)
        try await write(report, of: center, isTrial: isTrial)
    }

    /// Follows the file until interrupted. Errors in an edit are reported, and the previous requests remain.
    func follow(
        with center: NoticeCenter,
        _ events: NoticeCenter.Events? = nil,
        _ reporter: CenterReporter? = nil
    ) async throws {
        guard let watch else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let events, let reporter {
                group.addTask {
                    for await event in events where !Self.isReportedAnyway(event) { try reporter.report(event) }
                }
            }
            group.addTask {
                try await center.synchronize(following: watch, owner: owner) { result in
                    guard let report = try succeeded(result), !report.changesNothing else { return }
                    try await write(report, of: center, isTrial: false)
                }
            }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    /// Returns nil after an error, which is reported.
    private func succeeded(
        _ result: Result<NoticeCenter.SynchronizationReport, any Error>
    ) throws -> NoticeCenter.SynchronizationReport? {
        do {
            return try result.get()
        } catch let error as ScheduleError {
            for error in error.errors { output.report(error) }
        } catch let error as NoticeError {
            // A call that the interruption canceled is no error of the file.
            try Task.checkCancellation()
            output.report(NoticeError(error.code, "\(schedule.source): \(error)"))
        }
        return nil
    }

    /// Whether the synchronization report covers an event already.
    private static func isReportedAnyway(_ event: CenterEvent) -> Bool {
        guard case .history(let entry) = event else { return false }
        return entry.outcome == .removed || entry.outcome == .replaced
    }

    private func write(_ report: NoticeCenter.SynchronizationReport, of center: NoticeCenter, isTrial: Bool)
        async throws
    {
        let next = isTrial ? [:] : try await nextDates(of: center)
        func fields(_ id: String, _ change: String) -> CommandOutput.Fields {
            ["id": id, "change": change, "trial": isTrial ? true : nil, "next": next[id]?.rfc3339()]
        }
        func write(_ ids: [String], _ change: String, _ trial: String, _ emphasis: LineStyle.Emphasis) throws {
            let word = isTrial ? trial.column(14) : change.column(10)
            for id in ids {
                let date = next[id].map { ": \($0.readable())" } ?? ""
                try output.result(fields(id, change), "\(word)\(id)\(date)", emphasis)
            }
        }
        try write(report.added, "added", "would add", .good)
        try write(report.updated, "updated", "would update", .good)
        try write(report.removed, "removed", "would remove", .faint)
        for entry in report.skipped {
            try output.object(["id": entry.entry, "change": "reported", "detail": entry.message])
            output.note("'\(entry.entry)' is not added: \(entry.message)")
        }
        for id in report.unchanged { try output.object(fields(id, "unchanged")) }
        for warning in report.warnings { output.warn(warning) }
        let counts = [
            (report.added.count, "added"), (report.updated.count, "updated"), (report.removed.count, "removed"),
            (report.unchanged.count, "unchanged"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        output.note((isTrial ? "a trial: " : "") + (words.isEmpty ? "nothing to add" : words))
    }

    /// Returns the next fire date of each request; a series by its base.
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
