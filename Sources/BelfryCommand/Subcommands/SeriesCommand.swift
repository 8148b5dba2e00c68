import ArgumentParser
import Belfry
import Foundation

struct SeriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "series",
        abstract: "Add a notice that comes again until somebody answers it.",
        discussion: """
            belfry series 'New message' 'From Ada' --id mail --every 5m --times 10 -A read=Read

            Answering any of them ends the series. There is no agent in this version: the command waits, shows the notices \
            and ends with the series.
            """,
        helpNames: .long
    )

    @Argument(help: "The first line.")
    var title: String

    @Argument(help: "The text; \\n begins a new line.")
    var body: String?

    @Option(help: ArgumentHelp("Names the series.", valueName: "base"))
    var id: String

    @Option(help: ArgumentHelp("When the first one comes; now otherwise.", valueName: "date"))
    var at: String?

    @Option(help: ArgumentHelp("From one to the next, 1 second or more.", valueName: "duration"))
    var every: String

    @Option(help: ArgumentHelp("How many.", valueName: "count"))
    var times: Int

    @Option(help: ArgumentHelp("The zone of --at; the system's otherwise.", valueName: "zone"))
    var zone: String?

    @Flag(help: "Closing one by hand ends the series too.")
    var dismissalEnds = false

    @OptionGroup(title: "Content")
    var content: ContentOptions

    @OptionGroup(title: "Delivery")
    var delivery: BackendOptions

    @OptionGroup
    var speech: OutputOptions

    func run() async throws {
        let output = speech.output
        let name = try delivery.name()
        let zone = try ZoneOption.rules(zone)
        let first = try at.map { text throws(CommandFailure) in try DateText(zone: zone).parse(text, option: "--at") }
        let series = NoticeSeries(
            base: id,
            content: try content.content(title: title, body: body),
            first: first ?? Date(),
            spacing: try DurationText.parse(every),
            count: times,
            dismissalEnds: dismissalEnds
        )
        let app = try content.app()
        let elements = try series.requests(startingAt: .now)
        let chosen = try BackendChoice(app: app, output: output).choose(name)
        let session = CenterSession(app: app, chosen: chosen)
        try await session.running { center in
            let reporter = CenterReporter(output: output, chosen: chosen, zone: zone)
            let events = await center.events()
            let report = try await center.add(series)
            try reporter.added(report, id: series.base, request: elements[0], firings: report.added.count)
            output.remark("no agent yet: waiting in this process, Ctrl-C to stop")
            try await PendingWait(
                center: center,
                events: events,
                reporter: reporter
            ).finish()
        }
    }
}
