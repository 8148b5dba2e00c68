import Belfry
import BelfryBus

/// The reason why an agent ended.
package enum AgentEnd: String, Sendable {
    /// Nothing is pending or on the screen, no response waits for an app, and no app is connected or has a badge.
    case nothingToDo
    case busLost
    case anotherRuns
    case cancelled
}

/// Decides when an agent has no work left.
package final class AgentLifetime: Sendable {
    package struct Timeouts: Sendable, Hashable {
        /// The time without work after which the agent ends, or the center of one app is closed.
        package var idle: Duration
        /// The time without the bus after which the agent ends.
        package var busLoss: Duration

        package init(idle: Duration = .seconds(10), busLoss: Duration = .seconds(10)) {
            self.idle = idle
            self.busLoss = busLoss
        }
    }

    private struct State {
        /// Whether the conditions may have changed since they were last checked.
        var mustLook = false
        var isStopped = false
        var nameIsLost = false
        /// The instant at which the agent ends for lack of a bus; nil while there is one.
        var busEnd: SuspendingClock.Instant?
    }

    private let timeouts: Timeouts
    private let state = AwaitedState(State())

    init(_ timeouts: Timeouts) { self.timeouts = timeouts }

    /// Makes the current wait check its conditions again, because some work may have ended.
    func look() { change { _ in } }

    /// Ends the current wait, and every later one immediately.
    func stop() { change { $0.isStopped = true } }

    /// Ends the current wait, because after a loss of the bus another agent has the name.
    func loseName() { change { $0.nameIsLost = true } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.mustLook = true
        }
    }

    /// Returns when the agent should end. It does not wake up while there is work.
    func wait(
        for busStates: AsyncStream<BusState>,
        isIdle: @escaping @Sendable () async -> Bool
    ) async -> AgentEnd {
        // What an earlier wait has found does not count.
        change { ($0.busEnd, $0.nameIsLost) = (nil, false) }
        let states = Task(executorPreference: CenterThread.shared) {
            for await busState in busStates where !Task.isCancelled {
                switch busState {
                case .connected: self.change { $0.busEnd = nil }
                case .disconnected: self.change { $0.busEnd = $0.busEnd ?? .now + self.timeouts.busLoss }
                default: break
                }
            }
        }
        defer { states.cancel() }
        // The instant at which the agent ends for lack of work; nil while there is work.
        var idleEnd: SuspendingClock.Instant?
        while !Task.isCancelled {
            let current = state.withLock { state in
                state.mustLook = false
                return state
            }
            if current.isStopped { return .cancelled }
            if current.nameIsLost { return .anotherRuns }
            if let busEnd = current.busEnd, busEnd <= .now { return .busLost }
            if await isIdle() {
                if let idleEnd, idleEnd <= .now { return .nothingToDo }
                idleEnd = idleEnd ?? .now + timeouts.idle
            } else {
                idleEnd = nil
            }
            let end = [current.busEnd, idleEnd].compactMap(\.self).min()
            _ = await state.waitUnlessCancelled(within: end.map { $0 - .now }) { $0.mustLook }
        }
        return .cancelled
    }
}
