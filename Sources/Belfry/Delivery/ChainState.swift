import Synchronization

/// The state of a chain: what it knows of its backends, and where it reports events.
final class ChainState: Sendable {
    /// The state of one backend.
    private enum Standing {
        /// Unknown, or changed: its capabilities have to be requested.
        case unknown
        /// Nil: its capabilities have to be requested again.
        case works(DeliveryCapabilities?)
        /// It has worked, and has no server.
        case lost(Loss, DeliveryCapabilities?)
        case away(since: Int64, NoticeError)
        /// Its run has failed: it is skipped until the chain runs again.
        case broken(NoticeError)
    }

    private struct Loss {
        /// Microseconds of CLOCK_BOOTTIME.
        let since: Int64
        /// Whether a delivery has found it out. Then only another one shows that the server is back: a backend may
        /// report capabilities although its server shows nothing.
        let isOfDelivery: Bool
    }

    private struct State {
        var standings: [Standing]
        /// The backends that have been used, and run.
        var started: [Int] = []
        var chosen: Int?
        /// The capabilities that the caller has received last.
        var announced: DeliveryCapabilities?
        var report: (@Sendable (BackendEvent) -> Void)?
        var starts: AsyncStream<Int>.Continuation?
    }

    enum Verdict { case skip, report }

    private let state: Mutex<State>
    private let clock: any TriggerClock
    private let failover: Int64
    private let retry: Int64

    init(_ count: Int, _ timeouts: BackendChain.Timeouts, _ clock: any TriggerClock) {
        state = Mutex(State(standings: Array(repeating: .unknown, count: count)))
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
            for index in state.started.sorted() { continuation.yield(index) }
            return starts
        }
    }

    func end() {
        state.withLock { state in
            state.starts?.finish()
            state = State(standings: Array(repeating: .unknown, count: state.standings.count))
        }
    }

    func start(_ index: Int) {
        state.withLock { state in
            guard !state.started.contains(index) else { return }
            state.started.append(index)
            state.starts?.yield(index)
        }
    }

    func runFailed(_ index: Int, _ error: NoticeError) {
        let report = state.withLock { state in
            state.standings[index] = .broken(error)
            return state.report
        }
        report?(.error(error))
    }

    // MARK: choosing

    /// Returns why a backend is skipped now; nil if it is not.
    func skipReason(_ index: Int) -> NoticeError? {
        let now = clock.now().boot
        return state.withLock { state in
            switch state.standings[index] {
            case .unknown, .works, .lost: nil
            case .away(let since, let error): now - since >= retry ? nil : error
            case .broken(let error): error
            }
        }
    }

    /// Returns the capabilities of a backend that works; nil if they have to be requested.
    func capabilities(_ index: Int) -> DeliveryCapabilities? {
        state.withLock { state in
            switch state.standings[index] {
            case .works(let capabilities), .lost(_, let capabilities): capabilities
            case .unknown, .away, .broken: nil
            }
        }
    }

    /// Chooses a backend. A change is reported as a server that came, so that known capabilities are discarded.
    func choose(_ index: Int, named name: String, _ capabilities: DeliveryCapabilities, announced: Bool) {
        let report = state.withLock { state in
            switch state.standings[index] {
            case .broken: break
            case .lost(let loss, _) where loss.isOfDelivery: state.standings[index] = .lost(loss, capabilities)
            case .unknown, .works, .lost, .away: state.standings[index] = .works(capabilities)
            }
            if announced { state.announced = capabilities }
            defer { state.chosen = index }
            return state.chosen != nil && state.chosen != index ? state.report : nil
        }
        report?(.from(backend: name, .serverCame(server: nil)))
    }

    func worked(_ index: Int) {
        state.withLock { state in
            if case .lost(_, let capabilities) = state.standings[index] {
                state.standings[index] = .works(capabilities)
            }
        }
    }

    func failed(_ index: Int, _ error: NoticeError, whileDelivering: Bool) -> Verdict {
        let now = clock.now().boot
        return state.withLock { state in
            let standing = state.standings[index]
            switch standing {
            case .broken: return .skip
            case .works: state.standings[index] = .works(nil)
            case .lost(let loss, _): state.standings[index] = .lost(loss, nil)
            case .unknown, .away: break
            }
            if Self.meansLost.contains(error.code) {
                let loss: Loss? =
                    switch standing {
                    case .works: Loss(since: now, isOfDelivery: whileDelivering)
                    case .lost(let loss, _):
                        Loss(since: loss.since, isOfDelivery: loss.isOfDelivery || whileDelivering)
                    default: nil
                    }
                if let loss, now - loss.since < failover {
                    state.standings[index] = .lost(loss, nil)
                    return .report
                }
            } else if !Self.meansUnable.contains(error.code) {
                // The server is there and refuses, or is busy.
                if whileDelivering {
                    if case .lost = standing { state.standings[index] = .works(nil) }
                    return .report
                }
                switch standing {
                case .works, .lost: return .report
                default: break
                }
            }
            state.standings[index] = .away(since: now, error)
            return .skip
        }
    }

    private static let meansLost: [NoticeError.Code] = [.noBus, .noServer, .serverTimedOut, .backendStopped]
    private static let meansUnable: [NoticeError.Code] = [.unsupported, .pluginMisbehaved, .systemFailure]

    // MARK: events

    func take(_ event: BackendEvent, of index: Int, named name: String) {
        let now = clock.now().boot
        let report = state.withLock { state in
            switch (event, state.standings[index]) {
            case (.serverCame, .away): state.standings[index] = .unknown
            case (.serverCame, .lost), (.serverCame, .works): state.standings[index] = .works(nil)
            case (.serverGone, .works): state.standings[index] = .lost(Loss(since: now, isOfDelivery: false), nil)
            case (.serverGone, .lost(let loss, _)): state.standings[index] = .lost(loss, nil)
            default: break
            }
            return state.report
        }
        report?(.from(backend: name, event))
    }
}
