import Belfry
import BelfryAgent
import BelfryBus
import BelfryPortal
import Synchronization

/// Starting an app that does not run, for a response that waits for it.
extension AppHost {
    func launch(for response: NoticeResponse) {
        let record = state.withLock { state -> AppRecord? in
            // Dismissals and snoozes are sent only to a connected app: closing a popup must not start a program.
            guard !state.isLaunching, response.kind != .dismissed, response.snoozedUntil == nil else { return nil }
            state.isLaunching = true
            return state.record
        }
        guard let record else { return }
        Task(executorPreference: CenterThread.shared) {
            do throws(NoticeError) { try await self.launch(record, response.activationToken) } catch {
                self.options.report("\(self.app.id): \(error)")
            }
            // The next response may try again.
            self.state.withLock { $0.isLaunching = false }
        }
    }

    /// Starts the app over the bus if it is `DBusActivatable` (Desktop Entry Specification, "D-Bus Activation"), else
    /// by its registered command. Without either, the response waits until the user starts the app.
    private func launch(_ record: AppRecord, _ token: String?) async throws(NoticeError) {
        if record.isActivatable {
            do throws(BusError) {
                try await bus.call(try ApplicationInterface.activation(of: app.id, token: token))
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
        if let token {
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
