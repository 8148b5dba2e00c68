import Synchronization

/// The state of a chain: what it knows of its backends, and where it reports events.
final class ChainState: Sendable {
    /// The state of one backend.
    private enum Standing {
        /// Unknown, or changed: its capabilities have to be requested.
        case unknown
        case works
        /// It has worked, and has no server since then (microseconds of CLOCK_BOOTTIME).
        case lost(since: Int64)
        case away(since: Int64, NoticeError)
        /// Its run has failed: it is skipped until the chain runs again.
        case broken(NoticeError)
    }

    private struct Member {
        var standing = Standing.unknown
        var capabilities: DeliveryCapabilities?
        var isStarted = false
    }

    private struct State {
        var members: [Member]
        var chosen: Int?
        /// The capabilities that the caller has received last.
        var announced: DeliveryCapabilities?
        var report: (@Sendable (BackendEvent) -> Void)?
        var starts: AsyncStream<Int>.Continuation?
    }

    enum Outlook {
        case works(DeliveryCapabilities)
        case toBeAsked
        case skipped(NoticeError)
    }

    enum Verdict { case skip, report }

    private let state: Mutex<State>
    private let clock: any TriggerClock
    private let failover: Int64
    private let retry: Int64

    init(_ count: Int, _ timeouts: BackendChain.Timeouts, _ clock: any TriggerClock) {
        state = Mutex(State(members: Array(repeating: Member(), count: count)))
        self.clock = clock
        failover = timeouts.failover.microseconds
        retry = timeouts.retry.microseconds
    }

    var announced: DeliveryCapabilities? { state.withLock { $0.announced } }

    // MARK: running

    /// Returns the backends to run, as they are needed; nil if the chain runs already.
    func begin(_ report: @escaping @Sendable (BackendEvent) -> Void) -> AsyncStream<Int>? {
        let (starts, continuation) = AsyncStream.makeStream(of: Int.self)
        return state.withLock { state in
            guard state.starts == nil else { return nil }
            state.report = report
            state.starts = continuation
            // Backends that were used before the run began.
            for index in state.members.indices where state.members[index].isStarted { continuation.yield(index) }
            return starts
        }
    }

    func end() {
        state.withLock { state in
            state.starts?.finish()
            let count = state.members.count
            state = State(members: Array(repeating: Member(), count: count))
        }
    }

    func start(_ index: Int) {
        state.withLock { state in
            guard !state.members[index].isStarted else { return }
            state.members[index].isStarted = true
            state.starts?.yield(index)
        }
    }

    func runFailed(_ index: Int, _ error: NoticeError) {
        let report = state.withLock { state in
            state.members[index].standing = .broken(error)
            return state.report
        }
        report?(.error(error))
    }

    // MARK: choosing

    func outlook(_ index: Int) -> Outlook {
        let now = clock.now().boot
        return state.withLock { state in
            let member = state.members[index]
            switch member.standing {
            case .works: return member.capabilities.map(Outlook.works) ?? .toBeAsked
            case .unknown, .lost: return .toBeAsked
            case .away(let since, let error): return now - since >= retry ? .toBeAsked : .skipped(error)
            case .broken(let error): return .skipped(error)
            }
        }
    }

    /// Chooses a backend. A change is reported as a server that came, so that known capabilities are discarded.
    func choose(_ index: Int, named name: String, _ capabilities: DeliveryCapabilities, announced: Bool) {
        let report = state.withLock { state in
            if case .broken = state.members[index].standing {} else { state.members[index].standing = .works }
            state.members[index].capabilities = capabilities
            if announced { state.announced = capabilities }
            defer { state.chosen = index }
            return state.chosen != nil && state.chosen != index ? state.report : nil
        }
        report?(.from(backend: name, .serverCame(server: nil)))
    }

    func worked(_ index: Int) {
        state.withLock { state in
            if case .lost = state.members[index].standing { state.members[index].standing = .works }
        }
    }

    func failed(_ index: Int, _ error: NoticeError, whileDelivering: Bool) -> Verdict {
        let now = clock.now().boot
        return state.withLock { state in
            state.members[index].capabilities = nil
            let standing = state.members[index].standing
            if case .broken = standing { return .skip }
            if Self.meansLost.contains(error.code) {
                let since: Int64? =
                    switch standing {
                    case .works: now
                    case .lost(let since): since
                    default: nil
                    }
                if let since, now - since < failover {
                    state.members[index].standing = .lost(since: since)
                    return .report
                }
            } else if !Self.meansUnable.contains(error.code) {
                // The server is there and refuses, or is busy.
                if whileDelivering { return .report }
                switch standing {
                case .works, .lost: return .report
                default: break
                }
            }
            state.members[index].standing = .away(since: now, error)
            return .skip
        }
    }

    private static let meansLost: Set<NoticeError.Code> = [.noBus, .noServer, .serverTimedOut, .backendStopped]
    private static let meansUnable: Set<NoticeError.Code> = [.unsupported, .pluginMisbehaved, .systemFailure]

    // MARK: events

    func take(_ event: BackendEvent, of index: Int, named name: String) {
        let now = clock.now().boot
        let report = state.withLock { state in
            switch (event, state.members[index].standing) {
            case (.serverCame, .away): state.members[index].standing = .unknown
            case (.serverCame, .lost): state.members[index].standing = .works
            case (.serverGone, .works): state.members[index].standing = .lost(since: now)
            default: break
            }
            switch event {
            case .serverCame, .serverGone: state.members[index].capabilities = nil
            default: break
            }
            return state.report
        }
        report?(.from(backend: name, event))
    }
}
