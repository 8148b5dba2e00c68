/// Several backends in the order of preference, of which the first one that works shows the notices.
///
/// ```swift
/// let chain = BackendChain([DBusBackend(), ConsoleBackend()])
/// let center = NoticeCenter(app: app, backend: chain)
/// ```
///
/// Which one delivered stands in the receipt and in the history, under its own name. The rules:
///
/// - **First choice.** The backends are asked for their capabilities in order; the first that answers is chosen.
/// - **A lost server is waited for.** When the chosen backend has worked, and then has no bus, no server, no answer in
///   time, or its run is over, its (transient) error goes to the caller, who tries again: servers restart. Only after
///   ``Limits/patience`` of that is the next one tried, in the same call.
/// - **A busy server keeps its place.** ``NoticeError/Code/serverBusy`` and other transient errors are the caller's to
///   retry.
/// - **What is wrong with the notice stays wrong**: permanent errors about the content go to the caller. A backend that
///   says it can't do this at all (``NoticeError/Code/unsupported``), or that is broken
///   (``NoticeError/Code/pluginMisbehaved``, ``NoticeError/Code/systemFailure``), is passed over at once.
/// - **Back to the better one.** A backend that was passed over is asked again when it reports that its server came,
///   and every ``Limits/lookAgain``: at the next delivery it is the choice again. One whose run has failed is not.
/// - **Withdrawals** go to the backend that delivered; a notice that replaces another one's is shown anew, and the
///   center takes the former down.
/// - **Events** of all backends that were tried are passed on, each as its own. A backend is run from its first use on,
///   so that one that is never needed costs nothing.
/// - **Nothing hangs.** What takes longer than ``Limits/call`` counts as no answer; a notice that is shown after all is
///   taken down again, for it will be shown by a retry.
/// - Where none works, the error is transient if one of theirs is, and its text has every reason.
public final class BackendChain: NonblockingBackend, DesktopPermissionSource {
    /// How long a chain waits for one of its backends.
    public struct Limits: Sendable, Hashable {
        /// How long the chosen backend may be without its server before the next one is tried.
        public var patience: Duration
        /// How often a better backend is looked at again that has not reported its server.
        public var lookAgain: Duration
        /// How long a backend may take over one call. The center's own limit is 30 s, and there may be two calls in it.
        public var call: Duration

        /// Creates limits; each default suits a desktop.
        public init(
            patience: Duration = .seconds(5),
            lookAgain: Duration = .seconds(60),
            call: Duration = .seconds(12)
        ) {
            self.patience = patience
            self.lookAgain = lookAgain
            self.call = call
        }
    }

    public let name: String
    /// Best first; no two of one name.
    public let backends: [any DeliveryBackend]
    let limits: Limits
    let state: ChainState

    /// A chain within the list is taken apart. Traps where the list is empty, or two backends have one name:
    /// withdrawals could not be told apart.
    ///
    /// - Parameters:
    ///   - backends: The backends, best first.
    ///   - name: Names the chain in errors; receipts have the name of who delivered.
    ///   - limits: How long a backend that lost its server is waited for.
    ///   - clock: What patience is measured by.
    public init(
        _ backends: [any DeliveryBackend],
        name: String = "chain",
        limits: Limits = Limits(),
        clock: NoticeCenter.Clock = .system
    ) {
        let all = backends.flatMap { ($0 as? BackendChain)?.backends ?? [$0] }
        precondition(!all.isEmpty, "a chain of no backends shows nothing")
        precondition(Set(all.map(\.name)).count == all.count, "two backends of a chain have one name")
        self.name = name
        self.backends = all
        self.limits = limits
        state = ChainState(all.count, limits, clock.clock)
    }

    /// Which backends were passed over, and why, best first; empty before the first call.
    public var passedOver: [(name: String, error: NoticeError)] {
        backends.indices.compactMap { index in
            guard case .passedOver(let error) = state.outlook(index) else { return nil }
            return (backends[index].name, error)
        }
    }

    /// What the backend can show that would be chosen now.
    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await choose(asking: true).capabilities
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        var attempts = 0
        while true {
            attempts += 1
            let choice = try await choose(asking: false)
            let backend = backends[choice.index]
            let fitted = fitted(delivery, to: choice)
            do throws(NoticeError) {
                let receipt = try await limited("deliver '\(delivery.requestID)'", by: backend) { late in
                    // The caller was told that it failed, and will show it again.
                    Task(executorPreference: backend.executor) { try? await backend.withdraw(late) }
                } _: { () async throws(NoticeError) in
                    try await backend.deliver(fitted)
                }
                state.worked(choice.index)
                return with(fitted.lost, receipt)
            } catch {
                // A backend that comes and goes all the time must not keep the caller here.
                guard state.failed(choice.index, error, whileDelivering: true) == .passOver,
                    attempts <= backends.count
                else { throw error }
            }
        }
    }

    /// Of the backend that would deliver now.
    public func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview {
        let choice = try await choose(asking: false)
        let backend = backends[choice.index]
        let fitted = fitted(delivery, to: choice)
        return try await limited("say what would be shown", by: backend) { () async throws(NoticeError) in
            try await backend.preview(fitted)
        }
    }

    /// As the backend says that would deliver now.
    public func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb {
        guard let choice = try? await choose(asking: false) else { return .unknown }
        let backend = backends[choice.index]
        return await withTaskExecutorPreference(backend.executor) { await backend.doNotDisturb() }
    }

    /// As the backend says that would deliver now.
    public func desktopPermission(for app: AppIdentity) async -> DesktopPermission {
        guard let choice = try? await choose(asking: false),
            let source = backends[choice.index] as? any DesktopPermissionSource
        else { return .unknown }
        return await source.desktopPermission(for: app)
    }

    /// Through the backend that would deliver now.
    public func setBadge(_ count: Int, of app: AppIdentity) async throws(NoticeError) {
        let choice = try await choose(asking: false)
        try await limited("set the badge", by: backends[choice.index]) {
            [backend = backends[choice.index]] () async throws(NoticeError) in
            try await backend.setBadge(count, of: app)
        }
    }

    /// Throws ``NoticeError/Code/notFound``, permanent, for a receipt of a backend that is not in the chain.
    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        guard let index = backends.firstIndex(where: { $0.name == receipt.backend }) else {
            throw NoticeError(
                .notFound,
                "The notice \(receipt.handle) was shown by '\(receipt.backend)', which is not among "
                    + "\(backends.map(\.name).joined(separator: ", ")): it can't be taken down."
            )
        }
        state.start(index)
        let backend = backends[index]
        try await limited("withdraw \(receipt.handle)", by: backend) { () async throws(NoticeError) in
            try await backend.withdraw(receipt)
        }
    }

    /// Runs the backends that are used, until the task is cancelled.
    ///
    /// A second run beside a running one throws ``NoticeError/Code/unsupported``, permanent. What a backend's run
    /// throws is reported as a problem, and the backend passed over from then on.
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
                        try await backend.run { self.state.take($0, of: index, named: backend.name) }
                    } catch {
                        if !Task.isCancelled { self.state.runFailed(index, error) }
                    }
                }
            }
        }
    }
}
