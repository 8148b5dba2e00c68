import Belfry
import BelfryAgent
import BelfryDBus
import BelfryLocation
import BelfrySQLite
import Foundation

/// `belfryd`: the agent on SQLite and the desktop's notification server.
public enum AgentProgramMain {
    /// The exit status: 0 when it has nothing left to do, 1 with a sentence on standard error.
    public static func run() async -> Int32 {
        unblockSignals()
        let report: @Sendable (String) -> Void = { text in
            FileHandle.standardError.write(Data("belfryd: \(text)\n".utf8))
        }
        let backend: @Sendable (AppIdentity) -> any DeliveryBackend = { _ in DBusBackend() }
        let popup = PopupPrompt(backend: backend)
        let options = AgentServiceOptions(
            place: AgentPlace(),
            backend: backend,
            openStore: { folder async throws(NoticeError) in try await SQLiteRequestStore.openForAgent(in: folder) },
            prompt: { app in CommandLineAsksNobody(popup: popup) },
            location: { app in LocationProviderChain.auto(for: app) },
            report: report
        )
        do throws(NoticeError) {
            switch try await AgentService(options).run() {
            case .nothingToDo, .cancelled: return 0
            case .anotherRuns:
                report("another agent runs on this bus already")
                return 0
            case .busLost:
                report("the session bus is gone: ending; the next login or use starts it again")
                return 0
            }
        } catch {
            report("\(error)")
            return 1
        }
    }

    /// Who starts it may have blocked signals, and a process inherits that: it must be possible to end it.
    private static func unblockSignals() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }
}

/// The command line is the person: it needs no permission.
private struct CommandLineAsksNobody: AuthorizationPrompt {
    let popup: PopupPrompt

    func ask(for app: AppIdentity) async -> AuthorizationAnswer {
        app.id == AgentNames.commandLine ? .allowed : await popup.ask(for: app)
    }
}
