import Belfry
import BelfryBus
import Synchronization

/// Why an agent ended.
public enum AgentEnd: String, Sendable {
    /// Nothing is pending, shown, waiting to be taken, and nobody is connected.
    case nothingToDo
    case busLost
    case anotherRuns
    case cancelled
}

/// Decides when an agent has nothing to do any more.
public final class AgentLifetime: Sendable {
    public struct Limits: Sendable, Hashable {
        /// How long nothing must have been to do.
        public var idle: Duration
        /// How long the bus may be away.
        public var busLoss: Duration

        public init(idle: Duration = .seconds(10), busLoss: Duration = .seconds(10)) {
            self.idle = idle
            self.busLoss = busLoss
        }
    }

    private enum Turn: Sendable {
        case look, idleIsOver(Int), bus(isThere: Bool), busIsOver(Int), nameIsLost
    }

    private let limits: Limits
    private let turns: AsyncStream<Turn>
    private let continuation: AsyncStream<Turn>.Continuation

    init(_ limits: Limits) {
        self.limits = limits
        (turns, continuation) = AsyncStream.makeStream(of: Turn.self)
    }

    /// Something may have ended.
    func look() { continuation.yield(.look) }

    func stop() { continuation.finish() }

    /// After a loss of the bus another agent has the name.
    func loseName() { continuation.yield(.nameIsLost) }

    /// Returns when the agent should end. Sleeps without a wake-up while there is something to wait for.
    func wait(for bus: BusConnection, isIdle: @escaping @Sendable () async -> Bool) async -> AgentEnd {
        let states = Task(executorPreference: CenterThread.shared) { [continuation] in
            for await state in bus.states() {
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
                sleep(limits.idle, then: .idleIsOver(idleRound))
            case .idleIsOver(let round):
                guard round == idleRound else { continue }
                if await isIdle() { return .nothingToDo }
                idleRound += 1
                idleSince = nil
            case .bus(let isThere):
                guard isThere != isBusThere else { continue }
                isBusThere = isThere
                busRound += 1
                if !isThere { sleep(limits.busLoss, then: .busIsOver(busRound)) }
            case .busIsOver(let round):
                if round == busRound { return .busLost }
            case .nameIsLost: return .anotherRuns
            }
        }
        return .cancelled
    }

    private func sleep(_ duration: Duration, then turn: Turn) {
        CenterThread.shared.wait(until: .now + duration) { [continuation] in continuation.yield(turn) }
    }
}
