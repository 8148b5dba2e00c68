import Belfry
import BelfryAgent
import BelfryBus
import BelfryPortal
import Synchronization

/// Starting an app that does not run, for a response that waits for it.
extension AppHost {
    func launch(for response: NoticeResponse) {
        // Dismissals and snoozes are sent only to a connected app: closing a popup must not start a program.
        guard response.kind != .dismissed, response.snoozedUntil == nil else { return }
        let (record, isStarting) = state.withLock { state -> (AppRecord?, Bool) in
            guard let record = state.record, record.isStartable, state.launchEnd ?? .now <= .now else {
                return (nil, false)
            }
            state.launchEnd = .now + Self.launchTime
            return (record, state.mark != nil)
        }
        guard let record else { return }
        Task(executorPreference: CenterThread.shared) {
            // A response that waited in the store arrives before a running app can register at this agent.
            if isStarting { await pause(for: Self.registrationTime) }
            guard self.session(where: \.receives) == nil else { return }
            do throws(NoticeError) { try await self.launch(record, response.activationToken) } catch {
                self.options.report("\(self.app.id): \(error)")
                // The next response may try again.
                self.state.withLock { $0.launchEnd = nil }
            }
        }
    }

    /// How long an app that is being started may take to connect, before another response starts it again.
    private static let launchTime = Duration.seconds(10)
    /// How long an app that runs may take to register at a new agent.
    private static let registrationTime = Duration.seconds(2)

    /// Starts the app over the bus if it is `DBusActivatable` (Desktop Entry Specification, "D-Bus Activation"), else
    /// by its registered command.
    private func launch(_ record: AppRecord, _ token: String?) async throws(NoticeError) {
        if record.isActivatable {
            do throws(BusError) {
                try await bus.call(try ApplicationInterface.activation(of: app.id, token: token))
                // The bus starts it once, however often it is asked.
                state.withLock { $0.launchEnd = nil }
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
        var environment: [String: String] = [:]
        if let token {
            environment["XDG_ACTIVATION_TOKEN"] = token
            environment["DESKTOP_STARTUP_ID"] = token
        }
        let limit = DescriptorLimit.inherited
        do { try AgentProgram.startAlone(record.command, adding: environment, descriptorLimit: limit) } catch {
            throw NoticeError(
                .agentUnavailable,
                "The command '\(record.command.joined(separator: " "))' of '\(app.id)' can't be started.",
                cause: "\(error)"
            )
        }
    }
}
