#if CommandLine
import ArgumentParser
import Belfry
import BelfrySchedules
import FoundationEssentials

struct DoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Show a notice when a command or a process ends.",
        discussion: """
            belfry done -- make test
            belfry done --title Backup -u critical -- rsync -a Documents /mnt
            belfry done --pid 4711

            The notice says how the command ended and how long it took. The exit status is the command's, or 128 plus \
            the number of the signal that ended it. Ctrl-C goes to the command; if that ends it, no notice is shown. \
            No response is waited for, so --action and --snooze are refused.
            """,
        helpNames: .long
    )

    @Option(help: .init("The title; by default the command.", valueName: "text"))
    var title: String?

    @Option(parsing: .unconditional, help: .init("The process to wait for, by its ID.", valueName: "number"))
    var pid: Int32?

    @Argument(parsing: .postTerminator, help: "The command, after --.")
    var command: [String] = []

    @OptionGroup(title: "Content")
    var content: ContentOptions

    @OptionGroup(title: "Delivery")
    var delivery: BackendOptions

    @OptionGroup
    var output: OutputOptions

    func run() async throws {
        let output = output.writer
        guard content.action.isEmpty, !content.snooze else {
            throw NoticeError.usage(
                "done ends with the command and waits for no response: leave out --action and --snooze."
            )
        }
        let program = try awaitedProgram()
        // Invalid arguments are reported before a command begins that may take hours.
        let app = try content.app()
        var notice = try content.content(title: title ?? program.name.clipped, body: nil)
        let id = "done-\(UUID().uuidString.lowercased())"
        try RequestValidation().validate(NoticeRequest(id: id, content: notice))
        let chosen = try ChosenBackend(
            try delivery.name(),
            for: app,
            output,
            hasResults: output.json,
            listens: false
        )
        if !program.isOwn { output.note("waiting for the end of '\(program.name.clipped)', Ctrl-C to stop") }
        let end = try await program.end()
        if !end.isByTerminal {
            notice.body = end.sentence
            if notice.icon == nil, end.isFailure { notice.icon = .named("dialog-error") }
            let sending = Sending(
                request: NoticeRequest(id: id, content: notice),
                output: output,
                chosen: chosen,
                program: end
            )
            do {
                try await NoticeCenter(app: app, backend: chosen.backend).runInterruptibly { center in
                    _ = try await sending.perform(center)
                }
            } catch let error as NoticeError where program.isOwn {
                // The exit status stays the command's, because scripts depend on it alone.
                output.report(error, about: Article.about(error.code))
            } catch is OutputClosed where program.isOwn {
                // Nobody reads the result; the exit status is the command's all the same.
            }
        }
        if let status = end.status, status != 0 { throw ForeignStatus(value: status) }
    }

    private func awaitedProgram() throws(NoticeError) -> AwaitedProgram {
        switch (pid, command.isEmpty) {
        case (let pid?, true): try .running(RunningProcess(pid))
        case (nil, false): .started(command)
        default: throw .usage("done takes a command behind --, or --pid; write 'belfry done -- make test'.")
        }
    }
}
#endif
