public import Belfry
import Synchronization

/// A backend, and a record of what it reports to its center.
public final class ObservedBackend: DeliveryBackend {
    private let inner: any DeliveryBackend
    private let record = Mutex<[BackendEvent]>([])

    public init(_ inner: any DeliveryBackend) { self.inner = inner }

    public var events: [BackendEvent] { record.withLock { $0 } }
    public var name: String { inner.name }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities { try await inner.capabilities() }
    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        try await inner.deliver(delivery)
    }
    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) { try await inner.withdraw(receipt) }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        try await inner.run { [self] event in
            record.withLock { $0.append(event) }
            report(event)
        }
    }

    /// Does with the mouse what the tool `hand` does, and again where nothing comes of it, as a user would: a server
    /// that is short of processor time may miss a click on a popup that it has not drawn yet.
    func hand(on receipt: DeliveryReceipt, actions: String, _ deed: [String]) async throws {
        for _ in 1...3 {
            _ = try await Desktop.run("\(Desktop.tools)/hand", ["--actions", actions] + deed)
            if try await event(about: receipt, within: .seconds(3), { $0 }) != nil { return }
            // The popup went, and the report of it is late; or this server reports nothing.
            if (try? await Desktop.tool("screen-empty", "--watch")) != nil { return }
        }
    }

    /// The first event about this receipt that `pick` takes, within the limit; nil where none comes.
    public func event<Value: Sendable>(
        about receipt: DeliveryReceipt,
        within limit: Duration,
        _ pick: (BackendEvent) -> Value?
    ) async throws -> Value? {
        let reference = DeliveryReceipt.Reference(receipt)
        let end = ContinuousClock.now + limit
        while true {
            for event in events {
                switch event {
                case .responded(reference, _, _, _), .closed(reference, _):
                    if let value = pick(event) { return value }
                default: break
                }
            }
            guard ContinuousClock.now < end else { return nil }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
