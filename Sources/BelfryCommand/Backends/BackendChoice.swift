import Belfry
import BelfryConsole
import BelfryLibnotify
import BelfryPlugins
import Foundation

/// The backend that a command shows its notices through, and what the command has to know of it.
struct ChosenBackend: Sendable {
    let backend: any DeliveryBackend
    /// Somebody can answer and close what is shown.
    let canBeAnswered: Bool
    /// The deliveries stand on standard output already, written by the backend.
    let printsDeliveries: Bool
}

/// The one place where a name becomes a backend.
struct BackendChoice {
    let app: AppIdentity
    let output: CommandOutput

    func choose(_ name: BackendName) async throws -> ChosenBackend {
        switch name {
        case .libnotify: return libnotify()
        case .console: return console()
        case .auto:
            let desktop = libnotify()
            guard let reason = await reasonAgainst(desktop) else { return desktop }
            output.remark("\(reason): writing to the console. See belfry doctor.")
            return console()
        }
    }

    private func libnotify() -> ChosenBackend {
        ChosenBackend(backend: .libnotify(for: app), canBeAnswered: true, printsDeliveries: false)
    }

    private func console() -> ChosenBackend {
        ChosenBackend(
            backend: ConsoleBackend(format: output.json ? .json : .lines),
            canBeAnswered: isatty(STDIN_FILENO) == 1 && !output.json,
            printsDeliveries: true
        )
    }

    /// Nil where a notification server answers, or starts when it is asked.
    private func reasonAgainst(_ desktop: ChosenBackend) async -> String? {
        guard SessionBus().isReachable else { return "no session bus" }
        do throws(NoticeError) {
            _ = try await BackendProbe.look(at: desktop.backend)
            return nil
        } catch { return "no notification server (\(error.message))" }
    }
}
