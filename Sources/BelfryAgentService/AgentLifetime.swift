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
        case look, idleIsOver(Int), bus(isThere: Bool), busIsOver(Int), nameIsLost
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
        // Each change of mind makes the sleeps before it void.
        var idleRound = 0
        var idleSince: ContinuousClock.Instant?
        var busRound = 0
        var isBusThere = true
        look()
        for await turn in turns {
            switch turn {
            case .look:
                guard await isIdle() else {
                    idleRound += 1
                    idleSince = nil
                    continue
                }
                guard idleSince == nil else { continue }
                idleSince = .now
                sleep(limits.idle, then: .idleIsOver(idleRound), to: continuation)
            case .idleIsOver(let round):
                guard round == idleRound else { continue }
                if await isIdle() { return .nothingToDo }
                idleRound += 1
                idleSince = nil
            case .bus(let isThere):
                guard isThere != isBusThere else { continue }
                isBusThere = isThere
                busRound += 1
                if !isThere { sleep(limits.busLoss, then: .busIsOver(busRound), to: continuation) }
            case .busIsOver(let round):
                if round == busRound { return .busLost }
            case .nameIsLost: return .anotherRuns
            }
        }
        return .cancelled
    }

    private func sleep(_ duration: Duration, then turn: Turn, to turns: AsyncStream<Turn>.Continuation) {
        CenterThread.shared.wait(until: .now + duration) { turns.yield(turn) }
    }
}
