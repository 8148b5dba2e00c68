#if CommandLine
import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all notices that will still be shown, soonest first.",
        discussion: """
            A series is one line. Beside what waits for its time are the notices that are in flight (inFlight), \
            deferred by quiet hours, and snoozed by the user.
            """
    )

    @Flag(help: "Print each notice of a series in its own line.")
    var elements = false

    @OptionGroup
    var store: StoreOptions

    @OptionGroup
    var output: OutputOptions

    func run() async throws {
        let output = output.writer
        defer { store.reportDamage(to: output) }
        let center = try await store.center()
        let pending = try await center.pending()
        // By base; empty if each element has a line of its own.
        var series: [String: NoticeSeries.Pending] = [:]
        if !elements, pending.contains(where: { $0.request.series != nil }) {
            for one in try await center.pendingSeries() { series[one.id] = one }
        }
        for notice in pending {
            guard let base = notice.request.series, !elements else {
                try notice.isUnreadable ? writeLost(notice, to: output) : Self.write(notice, to: output)
                continue
            }
            // The series is listed at the position of its first element.
            if let one = series.removeValue(forKey: base) { try Self.write(one, notice, to: output) }
        }
        if pending.isEmpty { output.note("nothing is pending") }
    }

    private func writeLost(_ notice: PendingNotice, to output: CommandOutput) throws {
        let advice = "the store was damaged; 'belfry doctor --acknowledge\(store.argument)' forgets it"
        try output.result(
            ["id": notice.id, "next": notice.next?.rfc3339(), "unreadable": true],
            "\(notice.id): lost (\(advice))"
        )
    }

    private static func write(_ notice: PendingNotice, to output: CommandOutput) throws {
        let content = notice.request.content
        let recurrence = notice.request.recurrence(in: .system()).map { " (\($0))" } ?? ""
        try output.result(
            [
                "id": notice.id, "title": content.title, "body": content.body, "next": notice.next?.rfc3339(),
                "pending": notice.left, "state": notice.state.kind.rawValue, "until": notice.state.until?.rfc3339(),
                "reason": notice.state.reason, "states": notice.states.listed,
                "snoozes": notice.snoozeCount > 0 ? notice.snoozeCount : nil,
                "snoozedUntil": notice.snoozedUntil?.rfc3339(), "thread": content.thread ?? notice.request.series,
                "trigger": notice.request.triggerJSON, "sentence": notice.request.trigger?.sentence(),
            ],
            "\(when(notice.next, of: notice))  \(notice.id): \(content.title)\(recurrence)\(notice.stateWords)"
        )
    }

    private static func write(_ series: NoticeSeries.Pending, _ first: PendingNotice, to output: CommandOutput) throws {
        let content = first.request.content
        let cut = series.kept < series.total ? ", \(series.kept) kept" : ""
        try output.result(
            [
                "id": series.id, "title": series.title, "body": content.body, "next": series.next?.rfc3339(),
                "state": first.state.kind.rawValue, "until": first.state.until?.rfc3339(), "pending": series.left,
                "series": true, "first": series.first?.rfc3339(), "last": series.last?.rfc3339(), "kept": series.kept,
                "total": series.total, "thread": content.thread ?? series.id,
            ],
            "\(when(series.next, of: first))  \(series.id): \(series.title) "
                + "(\(series.left) left of \(series.total)\(cut))\(first.stateWords)"
        )
    }

    private static func when(_ date: Date?, of notice: PendingNotice) -> String {
        if let date { return "\(date.readable())  \(date.distance())" }
        let waitsForRegion = notice.request.trigger is any RegionTrigger && notice.states.contains(.pending(next: nil))
        return waitsForRegion ? "at its region" : "at no time"
    }
}

extension PendingNotice {
    /// The states in words, such as ` (deferred: quiet hours) (snoozed 2 times)`; empty if only the trigger is pending.
    fileprivate var stateWords: String {
        states.map { $0.words(snoozes: snoozeCount) }.filter { $0 != "pending" }.map { " (\($0))" }.joined()
    }

    /// The number of remaining firings; nil for an endless trigger.
    fileprivate var left: Int? {
        let own = ownFirings
        // If the request has ended, only the snoozed notice remains.
        return snoozedUntil == nil ? own : own.map { max(1, $0) }
    }

    private var ownFirings: Int? {
        guard let trigger = request.trigger, trigger.repeats else { return 1 }
        let times = (trigger as? any ElapsedTimeTrigger)?.count ?? (trigger as? any WallClockTrigger)?.count
        return times.map { max(0, $0 - fired) }
    }
}
#endif
