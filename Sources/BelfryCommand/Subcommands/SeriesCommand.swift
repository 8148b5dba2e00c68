#if CommandLine
import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

struct SeriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "series",
        abstract: "Add a notice that repeats until the user responds.",
        discussion: """
            belfry series 'New message' --id mail --every 5m --times 10 -A read=Read
            belfry series Mail --id mail --every 5m --times 10 --escalate 3=timeSensitive

            A response to any of them ends the series. The agent stores it and shows the notices, also after this \
            terminal is closed. Without an agent, or with --store or --backend, the command waits and ends with the \
            series.
            """,
        helpNames: .long
    )

    @Argument(help: "The title.")
    var title: String

    @Argument(help: "The body; \\n begins a new line.")
    var body: String?

    @Option(help: .init("The identifier of the series.", valueName: "base"), completion: .pendingIDs)
    var id: String

    @Option(help: .init("The date of the first notice; by default now.", valueName: "date"))
    var at: String?

    @Option(
        parsing: .unconditional,
        help: .init("The time from one notice to the next; 1 second or more.", valueName: "duration")
    )
    var every: String

    @Option(parsing: .unconditional, help: .init("The number of notices.", valueName: "count"))
    var times: Int

    @Option(help: "The time zone of --at; by default the system's.", completion: .zones)
    var zone: String?

    @Flag(help: "Dismissing a notice ends the series, too.")
    var dismissalEnds = false

    @OptionGroup
    var escalation: EscalationOptions

    @OptionGroup(title: "Content")
    var content: ContentOptions

    @OptionGroup
    var adding: AddingOptions

    @OptionGroup
    var output: OutputOptions

    func run() async throws {
        let zone = try ZoneRules.option(zone)
        let first = try at.map { try DateText(zone: zone).parse($0, option: "--at") }
        let series = NoticeSeries(
            id: id,
            content: try content.content(title: title, body: body),
            // Nil is when it is added: until then the agent may take long to start.
            first: first,
            spacing: try DurationText.parse(every, option: "--every"),
            count: times,
            dismissalEnds: dismissalEnds,
            escalation: try escalation.steps()
        )
        // For the output.
        let elements = try series.requests(startingAt: .now)
        try await Adding(
            id: id,
            app: try content.app(),
            options: adding,
            zone: zone,
            output: output.writer
        ).perform { center in
            let report = try await center.add(series)
            var request = elements[0]
            if let next = report.next { request.trigger = DateTrigger(date: next) }
            return CenterReporter.Added(report: report, request: request, firings: report.added.count)
        }
    }
}
#endif
