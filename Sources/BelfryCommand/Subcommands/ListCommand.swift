import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfrySchedules
import Foundation

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what will still be shown, what comes first at the front; a series is one line.",
        discussion: """
            Beside what waits for its time are the notices that are on their way to the screen (inFlight), held back by quiet \
            hours (deferred) and put off (snoozed).
            """
    )

    @Flag(help: "Each notice of a series in a line of its own.")
    var elements = false

    @OptionGroup
    var keeping: StoreOptions

    @OptionGroup
    var speech: OutputOptions

    func run() async throws {
        let output = speech.output
        defer { keeping.reportDamage(to: output) }
        let center = try await keeping.center()
        let zone = ZoneRules.system()
        let pending = try await center.pending()
        // By the base, and where nothing is to be said of a series as such, none.
        var series: [String: NoticeSeries.Pending] = [:]
        if !elements, pending.contains(where: { $0.request.series != nil }) {
            for one in try await center.pendingSeries() { series[one.id] = one }
        }
        for notice in pending {
            guard let base = notice.request.series, !elements else {
                try Self.tell(notice, zone, output)
                continue
            }
            // At the place of the element that comes first.
            if let one = series.removeValue(forKey: base) { try Self.tell(one, notice, zone, output) }
        }
        if pending.isEmpty { output.remark("nothing is pending") }
    }

    private static func tell(_ notice: PendingNotice, _ zone: ZoneRules, _ output: CommandOutput) throws {
        let content = notice.request.content
        try output.object([
            ("id", .string(notice.id)), ("title", .string(content.title)), ("body", .string(content.body)),
            ("next", notice.next.map { .string(RFC3339.text($0, in: zone)) }),
            ("pending", notice.left.map { .int(Int64($0)) }),
            ("state", .string(notice.state.kind.rawValue)),
            ("until", StateText.until(notice.state).map { .string(RFC3339.text($0, in: zone)) }),
            ("reason", notice.state.reason.map { .string($0) }),
            ("states", notice.states.count > 1 ? StateText.array(notice.states, in: zone) : nil),
            ("snoozes", notice.snoozeCount > 0 ? .int(Int64(notice.snoozeCount)) : nil),
            ("snoozedUntil", notice.snoozedUntil.map { .string(RFC3339.text($0, in: zone)) }),
            ("thread", (content.thread ?? notice.request.series).map { .string($0) }),
            ("trigger", CenterReporter.trigger(of: notice.request)),
            ("sentence", notice.request.trigger?.sentence(zone: zone).map { .string($0) }),
        ])
        try output.line(
            "\(when(notice.next, zone))  \(notice.id): \(content.title)"
                + "\(recurring(notice, zone))\(StateText.words(of: notice, in: zone))"
        )
    }

    private static func tell(
        _ series: NoticeSeries.Pending,
        _ first: PendingNotice,
        _ zone: ZoneRules,
        _ output: CommandOutput
    ) throws {
        let content = first.request.content
        try output.object([
            ("id", .string(series.id)), ("title", .string(series.title)), ("body", .string(content.body)),
            ("next", series.next.map { .string(RFC3339.text($0, in: zone)) }),
            ("state", .string(first.state.kind.rawValue)),
            ("until", StateText.until(first.state).map { .string(RFC3339.text($0, in: zone)) }),
            ("pending", .int(Int64(series.left))), ("series", .bool(true)),
            ("first", series.first.map { .string(RFC3339.text($0, in: zone)) }),
            ("last", series.last.map { .string(RFC3339.text($0, in: zone)) }),
            ("kept", .int(Int64(series.kept))), ("total", .int(Int64(series.total))),
            ("thread", .string(content.thread ?? series.id)),
        ])
        let cut = series.kept < series.total ? ", \(series.kept) kept" : ""
        try output.line(
            "\(when(series.next, zone))  \(series.id): \(series.title) "
                + "(\(series.left) left of \(series.total)\(cut))\(StateText.words(of: first, in: zone))"
        )
    }

    private static func when(_ date: Date?, _ zone: ZoneRules) -> String {
        date.map { "\(ReadableDate.text($0, in: zone))  \(ReadableDate.distance(from: Date(), to: $0))" }
            ?? "at no time"
    }

    /// The next date says all of what fires once.
    private static func recurring(_ notice: PendingNotice, _ zone: ZoneRules) -> String {
        guard let trigger = notice.request.trigger, trigger.repeats, let sentence = trigger.sentence(zone: zone) else {
            return ""
        }
        return " (\(sentence))"
    }
}

extension PendingNotice {
    /// How often it fires still; nil is without end.
    fileprivate var left: Int? {
        let own = ownFirings
        // Of a request that has ended, what was put off is all there is.
        return snoozedUntil == nil ? own : own.map { max(1, $0) }
    }

    private var ownFirings: Int? {
        guard let trigger = request.trigger, trigger.repeats else { return 1 }
        let times = (trigger as? any ElapsedTimeTrigger)?.count ?? (trigger as? any WallClockTrigger)?.count
        return times.map { max(0, $0 - fired) }
    }
}
