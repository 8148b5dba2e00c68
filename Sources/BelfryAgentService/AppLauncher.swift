import Belfry
import BelfryAgent
import BelfryBus
import BelfryPortal

/// Starts an app that does not run, for a response that waits for it.
struct AppLauncher: Sendable {
    let app: AppIdentity
    let record: AppRecord
    let bus: BusConnection

    /// Starts the app over the bus if it is `DBusActivatable` (Desktop Entry Specification, "D-Bus Activation"), else
    /// by its registered command. Without either, the response waits until the user starts the app.
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
