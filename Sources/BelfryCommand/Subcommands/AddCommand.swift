import ArgumentParser
import Belfry
import Foundation

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a request: a notice that is shown at a time, or again and again.",
        discussion: """
            belfry add 'Tea is ready' --id tea --in 4m
            belfry add "Ada's birthday" --id ada --match month=5,day=10,hour=8 --repeat
            belfry add Stretch 'Stand up for a minute' --id stretch --every 1h -A later='In a while'

            There is no agent in this version: the command waits, shows the notice and ends when it was answered or closed \
            and nothing is left to come.
            """,
        helpNames: .long
    )

    @Argument(help: "The first line.")
    var title: String

    @Argument(help: "The text; \\n begins a new line.")
    var body: String?

    @Option(help: ArgumentHelp("Names the request; one of the same name is replaced.", valueName: "id"))
    var id: String

    @OptionGroup(title: "Trigger (without any: now)")
    var trigger: TriggerOptions

    @OptionGroup(title: "Content")
    var content: ContentOptions

    @OptionGroup(title: "Delivery")
    var delivery: BackendOptions

    @OptionGroup
    var speech: OutputOptions

    func run() async throws {
        let output = speech.output
        let name = try delivery.name()
        let request = NoticeRequest(
            id: id,
            content: try content.content(title: title, body: body),
            trigger: try trigger.trigger()
        )
        let app = try content.app()
        let zone = try trigger.zoneRules()
        let firings = trigger.times ?? (request.trigger?.repeats == true ? nil : 1)
        let chosen = try BackendChoice(app: app, output: output).choose(name)
        let session = CenterSession(app: app, chosen: chosen)
        try await session.running { center in
            let reporter = CenterReporter(output: output, chosen: chosen, zone: zone)
            let events = await center.events()
            let report = try await center.add(request)
            try reporter.added(report, id: request.id, request: request, firings: firings)
            output.remark("no agent yet: waiting in this process, Ctrl-C to stop")
            try await PendingWait(
                center: center,
                events: events,
                reporter: reporter
            ).finish()
        }
    }
}
