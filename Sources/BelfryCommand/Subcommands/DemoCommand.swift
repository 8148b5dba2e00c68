#if CommandLine
import ArgumentParser
import Belfry
import BelfryConsole
import FoundationEssentials

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show the main features in under a minute.",
        discussion: """
            Prints a line per step and, in the end, which button was clicked. After each step the program named in \
            BELFRY_DEMO_HOOK is run with the step's name: \(DemoStep.allCases.map(\.rawValue).joined(separator: ", ")).
            """
    )

    @Flag(help: "For scripts: no pauses, a timeout of 20 seconds for the response, and status 1 without one.")
    var unattended = false

    @OptionGroup
    var delivery: BackendOptions

    @OptionGroup
    var output: OutputOptions

    func run() async throws {
        let output = output.writer
        let app = AppIdentity.command("Belfry demo")
        let chosen = try ChosenBackend(try delivery.name(), for: app, output)
        let hook = DemoHook.named(in: ProcessInfo.processInfo.environment, output: output)
        let isUnattended = unattended
        let ending = try await NoticeCenter(app: app, backend: chosen.backend).runInterruptibly { center in
            try await DemoScript(
                center: center,
                chosen: chosen,
                output: output,
                hook: hook,
                pause: isUnattended ? .milliseconds(200) : .seconds(2),
                responseTimeout: isUnattended ? .seconds(20) : .seconds(30)
            ).perform()
        }
        switch ending {
        case .responded(let action):
            try output.result(["answered": action], "answered: \(action)", .good)
        case .noResponse(let reason):
            // A missing response is fine for a user, but an error for a script.
            guard isUnattended else { return output.note("no response: \(reason)") }
            throw NoticeError(.noResponse, "The notice '\(DemoContent.question)' got no response: \(reason).")
        }
    }
}

extension NoticeError.Code {
    /// No response came in time; transient.
    static let noResponse = Self("notAnswered", isTransient: true)
}
#endif
