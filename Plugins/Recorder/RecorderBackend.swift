public import Belfry

/// A backend that shows nothing and remembers everything: for tests, and to see what an app would show.
///
/// It behaves like a notification server with every feature. A test reads ``deliveries`` and ``shown``, plays the
/// user with ``simulate(_:on:activationToken:)``, and makes the server fail, stall, go away and come back.
///
/// ```swift
/// let recorder = RecorderBackend()
/// // … a center with this backend and a ManualTriggerClock; add a request "tea"; advance the clock …
/// #expect(try recorder.expectDelivery(of: "tea").content.title == "Tea is ready")
/// try recorder.simulate(.action("again"), on: "tea")
/// ```
///
/// Every call is safe from any thread, and none but the stalled ones waits, so that a synchronous test may use them:
/// that is why there is a lock here and no actor.
public final class RecorderBackend: NonblockingBackend {
    public let name: String
    /// Never held while a listener is called or a continuation resumed.
    let state: AwaitedState<RecorderState>

    /// - Parameters:
    ///   - name: Stands in receipts and in the history.
    ///   - offering: What the simulated server can show; may be changed later through ``offered``.
    public init(name: String = "recorder", offering: DeliveryCapabilities = .everything) {
        self.name = name
        state = AwaitedState(RecorderState(name: name, offered: offering))
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await pass(.capabilities)
        return offered
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        state.withLock { $0.attempts.append(delivery) }
        try await pass(.deliver)
        return state.withLock { $0.show(delivery) }
    }

    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        try await pass(.withdraw)
        let reference = DeliveryReceipt.Reference(receipt)
        let wasShown = state.withLock { state in
            guard let notice = state.remove(reference) else { return false }
            state.withdrawn.append(notice)
            return true
        }
        // As servers do: closing by call is reported too.
        if wasShown { post([.closed(reference, .withdrawn)]) }
    }

    /// Events of before this call are reported first. A second run beside a running one throws
    /// ``NoticeError/Code/unsupported``; permanent: give each center a recorder of its own.
    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        let id = state.withLock { state -> UInt64? in
            guard state.listener == nil else { return nil }
            let id = state.makeID()
            state.listener = RecorderState.Listener(id: id, report: report)
            return id
        }
        guard let id else {
            throw NoticeError(
                .unsupported,
                "The recorder \"\(name)\" is running for another center already; give each its own."
            )
        }
        drain()
        await withTaskCancellationHandler {
            await state.wait { $0.listener?.id != id }
        } onCancel: {
            state.withLock { if $0.listener?.id == id { $0.listener = nil } }
        }
    }

    /// Reports in order, one at a time, without the lock; kept until somebody runs the backend.
    func post(_ events: [BackendEvent]) {
        state.withLock { $0.outbox += events }
        drain()
    }

    private func drain() {
        // Whoever finds nobody draining drains, also what others post meanwhile; they return at once.
        while let (event, report) = state.withLock({ $0.takeNextEvent() }) {
            report(event)
            state.withLock { $0.isDraining = false }
        }
    }
}

/// A notice on the recorder's screen.
public struct ShownNotice: Sendable, Hashable, Identifiable {
    /// The request's identifier.
    public var id: String { delivery.requestID }
    /// What was delivered.
    public var delivery: Delivery
    /// What the recorder has returned for it.
    public var receipt: DeliveryReceipt

    /// Creates it from its parts.
    public init(delivery: Delivery, receipt: DeliveryReceipt) {
        self.delivery = delivery
        self.receipt = receipt
    }
}
