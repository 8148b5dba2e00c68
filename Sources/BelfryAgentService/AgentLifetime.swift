import Belfry
import BelfryBus
import Synchronization

/// Why an agent ended.
package enum AgentEnd: String, Sendable {
    /// Nothing is pending, shown, waiting to be taken, and nobody is connected.
    case nothingToDo
    case busLost
    case anotherRuns
    case cancelled
}

/// Decides when an agent has nothing to do any more.
package final class AgentLifetime: Sendable {
    package struct Limits: Sendable, Hashable {
        /// How long nothing must have been to do: for the agent to end, and for the center of one app to be closed.
        package var idle: Duration
        /// How long the bus may be away.
        package var busLoss: Duration

        package init(idle: Duration = .seconds(10), busLoss: Duration = .seconds(10)) {
            self.idle = idle
            self.busLoss = busLoss
        }
    }

    private enum Turn: Sendable {
        case look, bus(isThere: Bool), nameIsLost
    }

    private struct State {
        /// Of the wait that is under way. Each has its own, so that timers of an earlier one decide nothing.
        var turns: AsyncStream<Turn>.Continuation?
        var isStopped = false
    }

    private let limits: Limits
    private let state = Mutex(State())

    init(_ limits: Limits) { self.limits = limits }

    /// Something may have ended.
    func look() { _ = state.withLock { $0.turns }?.yield(.look) }

    /// Ends the wait, and every later one at once.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            return state.turns
        }?.finish()
    }

    /// After a loss of the bus another agent has the name.
    func loseName() { _ = state.withLock { $0.turns }?.yield(.nameIsLost) }

    /// Returns when the agent should end. Sleeps without a wake-up while there is something to wait for.
    func wait(
        for busStates: AsyncStream<BusState>,
        isIdle: @escaping @Sendable () async -> Bool
    ) async -> AgentEnd {
        let (turns, continuation) = AsyncStream.makeStream(of: Turn.self)
        let isStopped = state.withLock { state in
            state.turns = continuation
            return state.isStopped
        }
        guard !isStopped else { return .cancelled }
        let states = Task(executorPreference: CenterThread.shared) {
            for await state in busStates {
                switch state {
                case .connected: continuation.yield(.bus(isThere: true))
                case .disconnected: continuation.yield(.bus(isThere: false))
                default: break
                }
            }
        }
        defer { states.cancel() }
        // When there has been nothing to do, and no bus, for long enough; nil while there is.
        var idleEnd: SuspendingClock.Instant?
        var busEnd: SuspendingClock.Instant?
        look()
        for await turn in turns {
            switch turn {
            case .look: break
            case .bus(isThere: true): busEnd = nil
            case .bus(isThere: false): busEnd = busEnd ?? end(of: limits.busLoss)
            case .nameIsLost: return .anotherRuns
            }
            if let busEnd, busEnd <= .now { return .busLost }
            guard await isIdle() else {
                idleEnd = nil
                continue
            }
            if let idleEnd, idleEnd <= .now { return .nothingToDo }
            idleEnd = idleEnd ?? end(of: limits.idle)
        }
        return .cancelled
    }

    /// When a span that begins now is over: then it is looked again.
    private func end(of span: Duration) -> SuspendingClock.Instant {
        let end = SuspendingClock.now + span
        CenterThread.shared.wait(until: end) { [weak self] in self?.look() }
        return end
    }
}
