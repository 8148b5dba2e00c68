import Belfry
import BelfryAgent
import BelfryBus
import BelfryCalendars
import BelfryDBus
import BelfryDesktop
import BelfryLoop
import FoundationEssentials
import Glibc

/// The program `belfryd`: the agent with SQLite and the desktop's notification server.
package enum AgentProgramMain {
    /// Returns the exit status: 0 when the agent has no work left, 1 with a sentence on standard error, 64 for wrong
    /// usage. `arguments` are those after the program's name. Runs on the task's executor, even if the main actor calls
    /// it.
    @concurrent package static func run(_ arguments: [String]) async -> Int32 {
        switch arguments {
        case []: return await run { _ in }
        case [AgentProgram.atLogin]: return await startByBus() ? 0 : await run { _ in }
        case ["--help"], ["-h"]: print(help)
        case ["--version"]: print(Release.version)
        default:
            report("'\(arguments.joined(separator: " "))' is not known here. See belfryd --help.")
            return EX_USAGE
        }
        return 0
    }

    /// Makes the bus start the agent. If systemd starts login programs, each gets a unit that ends with the program
    /// (systemd-xdg-autostart-generator(8)). The bus starts the agent in its own unit, which restarts after a crash.
    private static func startByBus() async -> Bool {
        let bus = BusConnection(to: .session, replyingOn: CenterThread.shared)
        do throws(BusError) {
            try await bus.connect()
            _ = try await bus.owner(starting: AgentNames.agent, within: .seconds(60))
            return true
        } catch { return false }
    }

    /// In the format of `belfry --help`: both are converted to man pages.
    private static let help = """
        OVERVIEW: Keep and show the notices of apps that do not run.

        Nobody has to start it: the session bus does when it is called, and the login
        when something is pending. 'belfry agent install' writes the files for that
        where no package has brought them. It ends by itself when nothing is pending
        and nobody is connected, and on SIGTERM, SIGINT and SIGHUP.

        Each app's requests are in a store below $XDG_STATE_HOME/belfry/agent
        (~/.local/state/belfry/agent). 'belfry agent status' and 'belfry doctor' tell
        how it is.

        USAGE: belfryd [--at-login]

        OPTIONS:
          --at-login              Have the session bus start the agent, and end: under
                                  systemd the agent is then started again after a
                                  crash. Without the bus's help, be the agent.
          --version               Show the version.
          -h, --help              Show help information.
        """

    /// Runs the agent with changed options, for test programs.
    @concurrent package static func run(_ change: (inout AgentServiceOptions) -> Void) async -> Int32 {
        OtherCalendars.enable()
        DescriptorLimit.raise()
        var options = options
        change(&options)
        let report = options.report
        let service = AgentService(options)
        do throws(NoticeError) {
            let signals = try EndSignals()
            startThread(named: "belfry-signals") {
                guard signals.wait() else { return }
                // The second signal ends the process immediately.
                signals.release()
                service.stop()
            }
            switch try await service.run() {
            case .nothingToDo, .cancelled: break
            case .anotherRuns: report("another agent runs on this bus already")
            case .busLost: report("the session bus is gone: ending; the next login or use starts it again")
            }
            return 0
        } catch {
            report("\(error)")
            return 1
        }
    }

    private static func report(_ text: String) {
        let line = Array("belfryd: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    private static var options: AgentServiceOptions {
        let backend: @Sendable (AppIdentity) -> any DeliveryBackend = { _ in DBusBackend() }
        let popup = PopupPrompt(backend: backend)
        var options = AgentServiceOptions(
            storage: AgentStorage(),
            backend: backend,
            report: { report($0) }
        )
        // The command line acts for the user and needs no permission.
        options.prompt = { app in app.id == AgentNames.commandLine ? nil : popup }
        options.location = { app in LocationProviderChain.auto(for: app) }
        options.journal = .ofAgent()
        return options
    }
}
