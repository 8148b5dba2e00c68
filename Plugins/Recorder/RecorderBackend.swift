public import Belfry

/// A backend that shows nothing and records everything: for tests, and to see what an app would show.
///
/// It behaves like a notification server with every feature. A test reads ``deliveries`` and ``shown``, acts as the
/// user with ``simulate(_:on:activationToken:)``, and makes the server fail, stall, stop and restart.
///
/// ```swift
/// let recorder = RecorderBackend()
/// // … a center with this backend and a ManualTriggerClock; add a request "tea"; advance the clock …
/// let delivery = try recorder.expectDelivery(of: "tea")
/// #expect(delivery.content.title == "Tea is ready")
/// try recorder.simulate(.action("again"), on: "tea")
/// ```
///
/// Every call is safe from any thread, and only stalled ones wait, so synchronous tests can use them. Therefore the
/// class uses a lock and is not an actor.
public final class RecorderBackend: DeliveryBackend {
    public let name: String
    public var mayBlock: Bool { false }
    /// Never held while an event is reported or a continuation resumed.
    let state: AwaitedState<RecorderState>
    let listener: BackendListener

    /// Creates a recorder with a simulated server that runs.
    ///
    /// - Parameters:
    ///   - name: The backend's name in receipts and in the history.
    ///   - offering: The features of the simulated server; can be changed later through ``offered``.
    public init(name: String = "recorder", offering: DeliveryCapabilities = .everything) {
        self.name = name
        state = AwaitedState(RecorderState(name: name, offered: offering))
        // A test may simulate as much as it likes before its center runs.
        listener = BackendListener("The recorder \"\(name)\"", limit: .max)
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
        // As real servers do, also report a closing that the backend requested.
        if wasShown { listener.report([.closed(reference, .withdrawn)]) }
    }

    /// Reports earlier events first. A second simultaneous run throws ``NoticeError/Code/unsupported``, permanent: give
    /// each center a recorder of its own.
    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        try listener.begin(report)
        await untilCancelled()
        listener.end()
    }
}

/// A notice on the recorder's screen.
///
/// ```swift
/// let recorder = RecorderBackend()
/// // … a center with this backend shows a notice …
/// for notice in recorder.shown { print(notice.id, notice.delivery.content.title, notice.receipt.lost) }
/// ```
public struct ShownNotice: Sendable, Hashable, Identifiable {
    /// The request's identifier.
    public var id: String { delivery.requestID }
    /// What was delivered.
    public var delivery: Delivery
    /// The receipt that the recorder returned for it.
    public var receipt: DeliveryReceipt

    /// Creates a notice from its parts.
    public init(delivery: Delivery, receipt: DeliveryReceipt) {
        self.delivery = delivery
        self.receipt = receipt
    }
}
