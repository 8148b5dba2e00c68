import Synchronization

@testable import Belfry

/// A backend that does as a test tells it in the very moment, and reports what it is told to.
final class ModelBackend: DeliveryBackend {
    private struct State {
        var deliveries: [Delivery] = []
        var withdrawn: [DeliveryReceipt] = []
        var report: (@Sendable (BackendEvent) -> Void)?
        var early: [BackendEvent] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    let name = "model"
    let offered: DeliveryCapabilities
    private let state = Mutex(State())
    /// Holds up withdrawals while it is closed.
    let withdrawals = Gate(isOpen: true)
    /// What becomes of a delivery; the default shows it under its number.
    let answer: @Sendable (Delivery, Int, ModelBackend) async throws(NoticeError) -> DeliveryReceipt

    init(
        offering: DeliveryCapabilities = DeliveryCapabilities(
            server: "model",
            features: [.body, .actions, .replacing]
        ),
        answer: @escaping @Sendable (Delivery, Int, ModelBackend) async throws(NoticeError) -> DeliveryReceipt = {
            _,
            number,
            _ in DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
    ) {
        offered = offering
        self.answer = answer
    }

    var deliveries: [Delivery] { state.withLock { $0.deliveries } }
    var withdrawn: [String] { state.withLock { $0.withdrawn.map(\.handle) } }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { offered }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let number = state.withLock { state in
            state.deliveries.append(delivery)
            return state.deliveries.count
        }
        return try await answer(delivery, number, self)
    }

    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        await withdrawals.wait()
        let met = state.withLock { state in
            state.withdrawn.append(receipt)
            let met = state.watchers.filter { $0.count <= state.withdrawn.count }
            state.watchers.removeAll { $0.count <= state.withdrawn.count }
            return met
        }
        for watcher in met { watcher.continuation.resume() }
    }

    func waitUntilWithdrawn(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.withdrawn.count < count { state.watchers.append((count, continuation)) }
                return state.withdrawn.count >= count
            }
            if isMet { continuation.resume() }
        }
    }

    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        let early = state.withLock { state in
            state.report = report
            defer { state.early = [] }
            return state.early
        }
        early.forEach(report)
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
    }

    func post(_ event: BackendEvent) {
        let report = state.withLock { state in
            if state.report == nil { state.early.append(event) }
            return state.report
        }
        report?(event)
    }

    func click(_ handle: String, server: String? = "s1") {
        post(
            .responded(
                DeliveryReceipt.Reference(handle: handle, server: server),
                action: NoticeAction.defaultID,
                text: nil,
                activationToken: nil
            )
        )
    }
}

extension NoticeCenter {
    /// The engine of a center in this process, to look inside.
    var embedded: EmbeddedEngine { engine as! EmbeddedEngine }

    /// Runs `body` on a model backend.
    static func onModel(
        _ backend: ModelBackend,
        clock: any TriggerClock,
        store: any RequestStore = MemoryRequestStore(),
        options: CenterOptions = CenterOptions(),
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Void
    ) async throws {
        let center = NoticeCenter(
            app: World.app,
            backend: backend,
            store: NoticeStore(store),
            clock: NoticeCenter.Clock(clock),
            options: options
        )
        try await center.run { center in
            await center.quiet()
            try await body(center)
        }
    }
}
