import Belfry
import BelfryBus
import Synchronization

/// The reason why an agent ended.
package enum AgentEnd: String, Sendable {
    /// Nothing is pending or on the screen, no response waits for an app, and no app is connected.
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

    private enum Turn: Sendable {
        case look, bus(isThere: Bool), nameIsLost
    }

    private struct State {
        /// The stream of the current wait. Each wait has its own, so that timers of an earlier wait have no effect.
        var turns: AsyncStream<Turn>.Continuation?
        var isStopped = false
    }

    private let timeouts: Timeouts
    private let state = Mutex(State())

    init(_ timeouts: Timeouts) { self.timeouts = timeouts }

    /// Makes the current wait check its conditions again, because some work may have ended.
    func look() { _ = state.withLock { $0.turns }?.yield(.look) }

    /// Ends the current wait, and every later one immediately.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            return state.turns
        }?.finish()
    }

    /// Ends the current wait, because after a loss of the bus another agent has the name.
    func loseName() { _ = state.withLock { $0.turns }?.yield(.nameIsLost) }

    /// Returns when the agent should end. It does not wake up while there is work.
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
        // The instants at which the agent ends for lack of work or bus; nil while there is work or a bus.
        var idleEnd: SuspendingClock.Instant?
        var busEnd: SuspendingClock.Instant?
        look()
        for await turn in turns {
            switch turn {
            case .look: break
            case .bus(isThere: true): busEnd = nil
            case .bus(isThere: false): busEnd = busEnd ?? end(of: timeouts.busLoss)
            case .nameIsLost: return .anotherRuns
            }
            if let busEnd, busEnd <= .now { return .busLost }
            guard await isIdle() else {
                idleEnd = nil
                continue
            }
            if let idleEnd, idleEnd <= .now { return .nothingToDo }
            idleEnd = idleEnd ?? end(of: timeouts.idle)
        }
        return .cancelled
    }

    /// Returns the end of a span that begins now, and schedules a check of the conditions for then.
    private func end(of span: Duration) -> SuspendingClock.Instant {
        let end = SuspendingClock.now + span
        CenterThread.shared.wait(until: end) { [weak self] in self?.look() }
        return end
    }
}
