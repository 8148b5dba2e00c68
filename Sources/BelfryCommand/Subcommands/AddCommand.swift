#if CommandLine
import ArgumentParser
import Belfry
import FoundationEssentials

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a notice that is shown later, or repeatedly.",
        discussion: """
            belfry add 'Tea is ready' --id tea --in 4m
            belfry add "Ada's birthday" --id ada --match month=5,day=10,hour=8 --repeat
            belfry add Stretch --id stretch --every 1h -A later='In a while'
            belfry add 'Buy milk' --id milk --near 48.137,11.575,150 --during '08..19:*'

            The agent stores the request and shows the notice, also after this terminal is closed. Without an agent, \
            or with --store or --backend, the command waits, shows the notice, and ends when the user has responded or \
            dismissed it and no firing is left.
            """,
        helpNames: .long
    )

    @Argument(help: "The title.")
    var title: String

    @Argument(help: "The body; \\n begins a new line.")
    var body: String?

    @Option(
        help: "The identifier of the request; a pending request with the same one is replaced.",
        completion: .pendingIDs
    )
    var id: String

    @OptionGroup(title: "Trigger (without any: now)")
    var trigger: TriggerOptions

    @OptionGroup
    var escalation: EscalationOptions

    @Flag(help: "A response ends the repetition.")
    var untilAnswered = false

    @Flag(help: "Dismissing the notice counts as a response.")
    var dismissalEnds = false

    @OptionGroup(title: "Content")
    var content: ContentOptions

    @OptionGroup
    var adding: AddingOptions

    @OptionGroup
    var location: LocationOptions

    @OptionGroup
    var output: OutputOptions

    func run() async throws {
        let request = NoticeRequest(
            id: id,
            content: try content.content(title: title, body: body),
            trigger: try trigger.trigger(),
            endsWhenAnswered: untilAnswered,
            dismissalEnds: dismissalEnds,
            escalation: try escalation.steps()
        )
        let firings = trigger.times ?? (request.trigger?.repeats == true ? nil : 1)
        try await Adding(
            id: id,
            app: try content.app(),
            options: adding,
            location: try location.source(),
            zone: try trigger.zoneRules(),
            output: output.writer
        ).perform { center in
            CenterReporter.Added(report: try await center.add(request), request: request, firings: firings)
        }
    }
}
#endif
