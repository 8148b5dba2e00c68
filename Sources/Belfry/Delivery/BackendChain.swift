import Dispatch

/// Several backends in order of preference: the first one that works shows the notices.
///
/// ```swift
/// import BelfryConsole
/// import BelfryDBus
///
/// func makeCenter(for app: AppIdentity) -> NoticeCenter {
///     NoticeCenter(app: app, backend: BackendChain([DBusBackend(), ConsoleBackend()]))
/// }
/// ```
///
/// The receipt and the history have the name of the backend that delivered. The rules:
///
/// - **First choice.** The backends are asked for their capabilities in order; the first that returns them is chosen.
/// - **A lost server.** The chosen backend has worked, and then has no bus, no server, no reply in time, or its run has
///   ended. The caller gets the transient error and retries, because servers restart. Only after ``Timeouts/failover``
///   is the next backend tried, in the same call.
/// - **A busy server** stays chosen. The caller retries after ``NoticeError/Code/serverBusy`` and other transient
///   errors.
/// - **Permanent errors about the content** are thrown to the caller. A backend that can't do this at all
///   (``NoticeError/Code/unsupported``), or that is broken (``NoticeError/Code/pluginMisbehaved``,
///   ``NoticeError/Code/systemFailure``), is skipped at once.
/// - **Back to a better backend.** A skipped backend is tried again when it reports that its server came, and every
///   ``Timeouts/retry``. If it works, the next delivery uses it. A backend whose run has failed is not tried again.
/// - **Withdrawals** are sent to the backend that delivered. A notice that replaces one of another backend is shown as
///   a new one, and the center withdraws the old one.
/// - **Events** of all backends that were tried are forwarded with the backend's name. A backend runs from its first
///   use on, so an unused one costs nothing.
/// - **Timeouts.** A call that takes longer than ``Timeouts/call`` fails. A notice that is shown later is withdrawn,
///   because a retry will show it again, unless it has replaced a delivered notice in place, or a retry has shown it
///   under the same handle.
/// - If no backend works, the error is transient if one of theirs is, and its message has every reason.
public final class BackendChain: DeliveryBackend {
    /// The timeouts of a chain.
    public struct Timeouts: Sendable, Hashable {
        /// How long the chosen backend may be without its server before the next one is tried.
        public var failover: Duration
        /// How often a skipped backend that has not reported its server is tried again.
        public var retry: Duration
        /// The timeout of one call. A delivery may need two, within the center's own timeout of 30 s.
        public var call: Duration

        /// Creates timeouts; the defaults suit a desktop.
        public init(
            failover: Duration = .seconds(5),
            retry: Duration = .seconds(60),
            call: Duration = .seconds(12)
        ) {
            self.failover = failover
            self.retry = retry
            self.call = call
        }
    }

    public let name: String
    public var mayBlock: Bool { false }
    /// The backends, best first; their names differ.
    public let backends: [any DeliveryBackend]
    let timeouts: Timeouts
    let state: ChainState
    /// A queue for looking at the files of notices that are prepared for another backend.
    let files = DispatchQueue(label: "org.belfry.chain")
    private let attempts = ChainAttempts()

    /// Creates a chain; chains in the list are flattened. Traps if the list is empty, or if two backends have the same
    /// name, because withdrawals need unique names.
    ///
    /// - Parameters:
    ///   - backends: The backends, best first.
    ///   - name: The name of the chain in errors; receipts have the name of the backend that delivered.
    ///   - timeouts: The timeouts.
    ///   - clock: The clock that measures the timeouts.
    public init(
        _ backends: [any DeliveryBackend],
        name: String = "chain",
        timeouts: Timeouts = Timeouts(),
        clock: NoticeCenter.Clock = .system
    ) {
        // Casting a struct to a class looks for Foundation's boxes first: 6 % of the instructions of a small program.
        let all = backends.flatMap { type(of: $0) == Self.self ? ($0 as? Self)?.backends ?? [] : [$0] }
        precondition(!all.isEmpty, "a chain of no backends shows nothing")
        precondition(Set(all.map(\.name)).count == all.count, "two backends of a chain have one name")
        self.name = name
        self.backends = all
        self.timeouts = timeouts
        state = ChainState(all.count, timeouts, clock.clock)
    }

    /// The skipped backends and the reasons, best first; empty before the first call.
    public var skipped: [(name: String, error: NoticeError)] {
        backends.indices.compactMap { index in
            state.skipReason(index).map { (backends[index].name, $0) }
        }
    }

    /// Returns the capabilities of the backend that would be chosen now.
    ///
    /// - Throws: If no backend works: a transient error if one of theirs is, else the first permanent one. If the
    ///   chosen backend has worked before, its own error until ``Timeouts/failover`` has passed.
    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await choose(asking: true).capabilities
    }

    /// Shows a notice through the first backend that works.
    ///
    /// - Throws: What ``capabilities()`` throws if no backend works, and the error of the chosen backend about this
    ///   delivery, transient or permanent. ``NoticeError/Code/serverTimedOut`` after ``Timeouts/call``; transient.
    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        var delivery = delivery
        var count = 0
        while true {
            count += 1
            let choice = try await choose(asking: false)
            let backend = choice.backend
            // The caller marks a retry only if the error that it got says so, which may be that of another backend.
            if attempts.mayHaveShown(delivery.id) { delivery.isPossiblyRepeated = true }
            let fitted = await fitted(delivery, to: choice)
            let attempt = attempts.begin(delivery.id, at: choice.index)
            do throws(NoticeError) {
                let receipt = try await limited("deliver '\(delivery.requestID)'", by: backend) { late in
                    // The caller received an error, and will deliver the notice again. A handle that the notice took
                    // over is that of a delivered one.
                    guard late.key != fitted.replaces?.key else { return }
                    Self.withdraw(self.attempts.returnedLate(late, of: attempt), from: backend)
                } _: { backend throws(NoticeError) in
                    try await backend.deliver(fitted)
                }
                Self.withdraw(attempts.end(attempt, with: receipt.key), from: backend)
                state.worked(choice.index)
                return receipt.adding(fitted.lost)
            } catch {
                // It may be on the screen although no receipt came, as before a retry by the center.
                let isUnconfirmed = error.code == .serverTimedOut || error.code == .backendStopped
                Self.withdraw(attempts.end(attempt, with: nil, isUnconfirmed: isUnconfirmed), from: backend)
                // Limits the attempts, because a backend may come and go all the time.
                guard state.failed(choice.index, error, whileDelivering: true) == .skip, count <= backends.count else {
                    throw error
                }
            }
        }
    }

    /// Withdraws notices that were shown too late. Nobody waits for that.
    private static func withdraw(_ late: [DeliveryReceipt], from backend: any DeliveryBackend) {
        for receipt in late {
            Task(executorPreference: backend.executor) { try? await backend.withdraw(receipt) }
        }
    }

    /// Returns the preview of the backend that would deliver now.
    ///
    /// - Throws: What ``deliver(_:)`` would throw for this content, transient or permanent.
    public func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview {
        let choice = try await choose(asking: false)
        let fitted = await fitted(delivery, to: choice)
        return try await limited("report what would be shown", by: choice.backend) { backend throws(NoticeError) in
            try await backend.preview(fitted)
        }
    }

    /// Returns the state of the backend that would deliver now.
    public func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb {
        guard let backend = try? await choose(asking: false).backend else { return .unknown }
        return await withTaskExecutorPreference(backend.executor) { await backend.doNotDisturb() }
    }

    /// Returns the setting that the backend that would deliver now reports.
    public func desktopPermission(for app: AppIdentity) async -> DesktopPermission {
        guard let backend = try? await choose(asking: false).backend else { return .unknown }
        return await withTaskExecutorPreference(backend.executor) { await backend.desktopPermission(for: app) }
    }

    /// Sets the badge through the backend that would deliver now.
    ///
    /// - Throws: ``NoticeError/Code/unsupported`` if that backend has no badges; permanent. What ``capabilities()``
    ///   throws if no backend works, and ``NoticeError/Code/serverTimedOut`` after ``Timeouts/call``; transient.
    public func setBadge(_ count: Int, of app: AppIdentity) async throws(NoticeError) {
        let backend = try await choose(asking: false).backend
        try await limited("set the badge", by: backend) { backend throws(NoticeError) in
            try await backend.setBadge(count, of: app)
        }
    }

    /// Withdraws a notice through the backend that delivered it.
    ///
    /// - Throws: ``NoticeError/Code/notFound`` if the receipt's backend is not in the chain; permanent.
    ///   ``NoticeError/Code/serverTimedOut`` after ``Timeouts/call``; transient. Also the error of that backend.
    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        guard let index = backends.firstIndex(where: { $0.name == receipt.backend }) else {
            throw NoticeError(
                .notFound,
                "The notice \(receipt.handle) was shown by '\(receipt.backend)', which is not among "
                    + "\(backends.map(\.name).joined(separator: ", ")): it can't be taken down."
            )
        }
        state.start(index)
        attempts.forget(receipt.key)
        try await limited("withdraw \(receipt.handle)", by: backends[index]) { backend throws(NoticeError) in
            try await backend.withdraw(receipt)
        }
    }

    /// Runs the backends that are used, until the task is canceled. Errors of a backend's run are reported as events,
    /// and that backend is skipped from then on.
    ///
    /// - Throws: ``NoticeError/Code/unsupported`` if the chain is running already; permanent.
    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        guard let starts = state.begin(report) else {
            throw NoticeError(.unsupported, "This chain of backends is running already: make one for each center.")
        }
        defer { state.end() }
        await withTaskGroup(of: Void.self) { group in
            for await index in starts {
                let backend = backends[index]
                group.addTask(executorPreference: backend.executor) {
                    do throws(NoticeError) {
                        try await backend.performRun { self.state.take($0, of: index, named: backend.name) }
                    } catch {
                        if !Task.isCancelled { self.state.runFailed(index, error) }
                    }
                }
            }
        }
    }
}
