import Belfry
import BelfryAgent
import BelfryBus
import BelfryPortal

/// Starts an app that does not run, for an answer that waits for it.
struct AppLauncher: Sendable {
    let app: AppIdentity
    let record: AppRecord
    let bus: BusConnection

    /// By the bus where the app is `DBusActivatable` (Desktop Entry Specification, "D-Bus Activation"), else by the
    /// command that it registered. Where it has neither, the answer waits until the app is started by hand.
    func launch(_ response: NoticeResponse) async throws(NoticeError) {
        if record.isActivatable {
            do throws(BusError) {
                try await bus.call(try ApplicationInterface.activation(of: app.id, token: response.activationToken))
                return
            } catch {
                guard !record.command.isEmpty else {
                    throw NoticeError(
                        .agentUnavailable,
                        "The app '\(app.id)' can't be started by D-Bus activation: \(error.message)"
                    )
                }
            }
        }
        guard !record.command.isEmpty else { return }
        var environment: [String: String] = [:]
        if let token = response.activationToken {
            environment["XDG_ACTIVATION_TOKEN"] = token
            environment["DESKTOP_STARTUP_ID"] = token
        }
        do { try AgentProgram.startAlone(record.command, adding: environment) } catch {
            throw NoticeError(
                .agentUnavailable,
                "The command '\(record.command.joined(separator: " "))' of '\(app.id)' can't be started.",
                cause: "\(error)"
            )
        }
    }
}
