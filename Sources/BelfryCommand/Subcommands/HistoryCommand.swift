#if CommandLine
public import ArgumentParser
public import Belfry
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Print what became of notices: shown, missed, responded to, removed.",
        discussion: """
            belfry history --outcome missed --outcome failed --from 2026-12-24 --limit 20

            The store keeps the newest 10,000 lines, and none that are older than 90 days.
            """
    )

    @Option(help: "Only entries of this request.", completion: .historyIDs)
    var id: String?

    @Option(help: "Only entries of this thread, such as the identifier of a series.")
    var thread: String?

    @Option(
        help: .init("These outcomes alone: \(HistoryEntry.Outcome.allCases.map(\.rawValue).joined(separator: ", ")).")
    )
    var outcome: [HistoryEntry.Outcome] = []

    @Option(help: .init("The first date.", valueName: "date"))
    var from: String?

    @Option(help: .init("The last date; a date without a time means its last second.", valueName: "date"))
    var until: String?

    @Option(parsing: .unconditional, help: .init("The number of newest entries.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Print the newest entry first.")
    var newestFirst = false

    @OptionGroup
    var store: StoreOptions

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit \(limit): it must be 1 or more.") }
    }

    func run() async throws {
        let output = output.writer
        defer { store.reportDamage(to: output) }
        let dates = DateText(zone: .system())
        let query = HistoryQuery(
            requestID: id,
            limit: limit,
            thread: thread,
            outcomes: outcome.isEmpty ? nil : Set(outcome),
            from: try from.map { try dates.parse($0, option: "--from") },
            // The query's end is exclusive, the option's is inclusive.
            until: try until.map {
                try dates.parse($0, option: "--until", bareDate: .lastSecond).addingTimeInterval(1)
            },
            newestFirst: newestFirst
        )
        let entries = try await store.center().history(query)
        for entry in entries {
            try output.result(
                [
                    "id": entry.requestID, "at": entry.date.rfc3339(), "outcome": entry.outcome.rawValue,
                    "late": entry.late, "detail": entry.detail,
                    "code": entry.errorCode?.rawValue, "thread": entry.thread, "backend": entry.backend,
                ],
                "\(entry.date.readable())  \(entry.outcome.rawValue.column(10)) \(entry.requestID)"
                    + TimeSpan.lateness(entry.late) + (entry.detail.map { ": \($0)" } ?? "")
            )
        }
        if entries.isEmpty { output.note("the history has no such line") }
    }
}

extension HistoryEntry.Outcome: ExpressibleByArgument {}
#endif
