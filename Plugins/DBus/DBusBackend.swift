import Belfry
import BelfryBus
import Synchronization

/// Shows notices through org.freedesktop.Notifications, over a connection of its own to the session bus.
///
/// The connection is kept for as long as the backend runs: several servers send answers only to the one who posted. A
/// server that restarts, and a bus that goes and returns, are told of; what the server showed is gone with it.
public final class DBusBackend: DeliveryBackend {
    /// How long the parts may take.
    public struct Limits: Sendable, Hashable {
        /// Until the backend runs, for calls that are made while it is being started.
        public var start: Duration
        /// For each answer of the server.
        public var call: Duration

        public init(start: Duration = .seconds(5), call: Duration = .seconds(10)) {
            self.start = start
            self.call = call
        }
    }

    public let name = "dbus"
    private let address: BusAddress
    private let limits: Limits
    private let session = Mutex<NotificationsSession?>(nil)
    private let gate = StartGate()

    public init(bus address: BusAddress = .session, limits: Limits = Limits()) {
        self.address = address
        self.limits = limits
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await running().server(within: limits.call).1.capabilities
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let session = try await running()
        let (owner, server) = try await session.server(within: limits.call)
        let instance = session.instance(of: owner)
        var replaced: UInt32 = 0
        var lost: [LostFeature] = []
        if let receipt = delivery.replaces {
            // An old identifier means another notice on a new server.
            if receipt.server == instance, let id = UInt32(receipt.handle) {
                replaced = id
            } else {
                lost.append(LostFeature(.replacing, "the server that showed the former notice is gone"))
            }
        }
        let message = NotifyMessage(delivery, on: server, replacing: replaced)
        let id = try await session.notify(
            message,
            isResident: delivery.content.isResident,
            to: owner,
            within: limits.call
        )
        return DeliveryReceipt(backend: name, handle: String(id), server: instance, lost: message.lost + lost)
    }

    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        guard let id = UInt32(receipt.handle), let instance = receipt.server else { return }
        try await running().close(id, of: instance, within: limits.call)
    }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        let session = NotificationsSession(address, report)
        let isFirst = self.session.withLock { current in
            guard current == nil else { return false }
            current = session
            return true
        }
        guard isFirst else {
            throw NoticeError(.unsupported, "This backend is running already: make one for each center.")
        }
        gate.open()
        await session.run()
        gate.close()
        self.session.withLock { $0 = nil }
    }

    /// A center starts its backend and its deliveries at the same time: one waits for the other.
    private func running() async throws(NoticeError) -> NotificationsSession {
        if session.withLock({ $0 }) == nil { _ = await gate.wait(within: limits.start) }
        guard let session = session.withLock({ $0 }) else {
            throw NoticeError(.backendStopped, "The D-Bus backend is not running: run the center first.")
        }
        return session
    }
}
