import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfrySchedules
import Foundation

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "What became of the requests: shown and how late, missed, answered, removed, and why.",
        discussion: """
            belfry history --outcome missed --outcome failed --from 2026-12-24 --limit 20

            The store keeps the newest 10,000 lines, and none that are older than 90 days.
            """
    )

    @Option(help: ArgumentHelp("Of this request alone.", valueName: "id"))
    var id: String?

    @Option(help: "Of this thread alone, such as the base of a series.")
    var thread: String?

    @Option(
        help: ArgumentHelp(
            "These outcomes alone: \(HistoryEntry.Outcome.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "outcome"
        )
    )
    var outcome: [HistoryEntry.Outcome] = []

    @Option(help: ArgumentHelp("From this date on.", valueName: "date"))
    var from: String?

    @Option(help: ArgumentHelp("Up to this date; a bare date is in.", valueName: "date"))
    var until: String?

    @Option(help: ArgumentHelp("The newest so many.", valueName: "count"))
    var limit: Int?

    @Flag(help: "The newest at the front.")
    var newestFirst = false

    @OptionGroup
    var keeping: StoreOptions

    @OptionGroup
    var speech: OutputOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit \(limit): it must be 1 or more.") }
    }

    func run() async throws {
        let output = speech.output
        defer { keeping.reportDamage(to: output) }
        let zone = ZoneRules.system()
        let dates = DateText(zone: zone)
        let query = HistoryQuery(
            requestID: id,
            limit: limit,
            thread: thread,
            outcomes: outcome.isEmpty ? nil : Set(outcome),
            from: try dates.argument(from, option: "--from"),
            // The history's bound is not in, what was typed is.
            until: try dates.argument(until, option: "--until", bareDate: .lastSecond)?.addingTimeInterval(1),
            newestFirst: newestFirst
        )
        let lines = try await keeping.center().history(query)
        for line in lines { try Self.tell(line, zone, output) }
        if lines.isEmpty { output.remark("the history has no such line") }
    }

    private static func tell(_ line: HistoryEntry, _ zone: ZoneRules, _ output: CommandOutput) throws {
        try output.object([
            ("id", .string(line.requestID)), ("at", .string(RFC3339.text(line.date, in: zone))),
            ("outcome", .string(line.outcome.rawValue)), ("late", line.late.map { .double($0.seconds) }),
            ("detail", line.detail.map { .string($0) }), ("thread", line.thread.map { .string($0) }),
            ("backend", line.backend.map { .string($0) }),
        ])
        let word = line.outcome.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
        let late = line.late.map { $0 >= .seconds(1) ? " (\(ReadableDate.span(Int($0.seconds))) late)" : "" } ?? ""
        let detail = line.detail.map { ": \($0)" } ?? ""
        try output.line("\(ReadableDate.text(line.date, in: zone))  \(word) \(line.requestID)\(late)\(detail)")
    }
}

extension HistoryEntry.Outcome: ExpressibleByArgument {}
