import ArgumentParser
import Belfry
import BelfryRecurrence
import Foundation

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the pending requests, those that fire first at the front."
    )

    @OptionGroup
    var keeping: StoreOptions

    @OptionGroup
    var speech: OutputOptions

    func run() async throws {
        let output = speech.output
        let center = try await keeping.center()
        let zone = ZoneRules.system()
        let pending = try await center.pending()
        for notice in pending { try Self.tell(notice, zone, output) }
        if pending.isEmpty { output.remark("nothing is pending") }
    }

    private static func tell(_ notice: PendingNotice, _ zone: ZoneRules, _ output: CommandOutput) throws {
        let content = notice.request.content
        try output.object([
            ("id", .string(notice.id)), ("title", .string(content.title)), ("body", .string(content.body)),
            ("next", notice.next.map { .string(RFC3339.text($0, in: zone)) }),
            ("pending", notice.left.map { .int(Int64($0)) }),
            ("thread", (content.thread ?? notice.request.series).map { .string($0) }),
            ("trigger", CenterReporter.trigger(of: notice.request)),
        ])
        let when =
            notice.next.map { "\(ReadableDate.text($0, in: zone))  \(ReadableDate.distance(from: Date(), to: $0))" }
            ?? "at no time"
        try output.line("\(when)  \(notice.id.printable): \(content.title.printable)")
    }
}

extension PendingNotice {
    /// How often it fires still; nil is without end.
    fileprivate var left: Int? {
        guard let trigger = request.trigger, trigger.repeats else { return 1 }
        let times = (trigger as? any ElapsedTimeTrigger)?.times ?? (trigger as? any WallClockTrigger)?.times
        return times.map { max(0, $0 - fired) }
    }
}
