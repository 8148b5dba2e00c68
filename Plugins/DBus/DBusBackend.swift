public import Belfry
public import BelfryBus
import BelfryBusBackend
import BelfryServers

/// Shows notices through org.freedesktop.Notifications, over its own connection to the session bus.
///
/// The connection is kept as long as the backend runs, because several servers send responses only to the sender of the
/// notice. The backend reports restarts of the server and losses of the bus; the notices of a former server are gone.
///
/// A click on the notice itself is a response (``Belfry/NoticeAction/defaultID``) on every server that draws no button
/// for it. Where it is a button (Xfce, LXQt), an app must define that action to get it.
///
/// Images made of pixels are scaled down to 256 pixels a side before they are sent.
///
/// ```swift
/// let center = NoticeCenter(app: app, backend: DBusBackend())
/// try await center.run { center in try await center.show(content, id: "tea") }
/// ```
public final class DBusBackend: DeliveryBackend {
    /// The timeouts of the backend.
    public struct Timeouts: Sendable, Hashable {
        /// The timeout of calls that wait for the backend to start.
        public var start: Duration
        /// The timeout of each reply of the server.
        public var call: Duration

        /// Creates timeouts; each default suits a desktop.
        public init(start: Duration = .seconds(5), call: Duration = .seconds(10)) {
            self.start = start
            self.call = call
        }
    }

    public let name = "dbus"
    public var mayBlock: Bool { false }
    let timeouts: Timeouts
    /// The paths of the desktop's settings; nil for those of this machine.
    let settingsPlaces: DesktopSettings.Places?
    private let address: BusAddress
    private let run = BackendRun<NotificationsSession>(of: "D-Bus") { NoticeError($0) }

    /// Creates a backend; it connects when a center runs it.
    public convenience init(bus address: BusAddress = .session, timeouts: Timeouts = Timeouts()) {
        self.init(bus: address, timeouts: timeouts, settingsPlaces: nil)
    }

    init(bus address: BusAddress, timeouts: Timeouts, settingsPlaces: DesktopSettings.Places?) {
        self.address = address
        self.timeouts = timeouts
        self.settingsPlaces = settingsPlaces
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await running().server(within: timeouts.call).1.capabilities
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let session = try await running()
        let (owner, server) = try await session.server(within: timeouts.call)
        let instance = session.instance(of: owner)
        var message = try message(of: delivery, on: server, instance)
        var result = await session.notify(message, to: owner, within: timeouts.call)
        if message.replaces != 0, case .failure(let error) = result, Self.isRefusal(error) {
            // The server reports that the notice is gone, or belongs to another connection: send it as a new one.
            message = try NotifyMessage(delivery, on: server, replacing: 0)
            message.lost.add(.replacing, "\(server.name) did not replace the former notice")
            result = await session.notify(message, to: owner, within: timeouts.call)
        }
        let id = try result.mapError { NoticeError($0) }.get()
        guard id != 0 || server.known.showsWithoutNumber else {
            throw NoticeError(
                .rejected,
                "\(server.name) replied with the identifier 0, which names no notice: it did not show this one as one."
            )
        }
        if id == 0 {
            message.lost.add(
                .replacing,
                "\(server.name) gave no number: the notice can be neither replaced nor taken back"
            )
        }
        if let badge = delivery.content.badge { setBadge(badge, with: &message, of: delivery.app, in: session) }
        let handle = id == 0 ? Self.numberless(delivery) : String(id)
        return DeliveryReceipt(backend: name, handle: handle, server: instance, lost: message.lost)
    }

    /// Returns the receipt's handle for a notice that the server shows without a number. It is unique for each
    /// delivery. It isn't a number, so that no request to the server uses it.
    private static func numberless(_ delivery: Delivery) -> String { "0 \(delivery.id)" }

    /// Returns the arguments of `Notify`. They replace a notice by the server's number, if it is still the same server.
    func message(
        of delivery: Delivery,
        on server: NotificationServer,
        _ instance: String
    ) throws(NoticeError) -> NotifyMessage {
        guard let receipt = delivery.replaces else { return try NotifyMessage(delivery, on: server, replacing: 0) }
        // An old number means another notice on a new server.
        let id = receipt.server == instance ? NotificationsSession.identifier(in: receipt) : nil
        var message = try NotifyMessage(delivery, on: server, replacing: id ?? 0)
        if id == nil {
            let reason =
                receipt.server == instance
                ? "\(server.name) gave the former notice no number"
                : "the server that showed the former notice is gone"
            message.lost.add(.replacing, reason)
        }
        return message
    }

    /// Returns whether the server rejected this call, and is neither busy nor incompatible.
    private static func isRefusal(_ error: BusError) -> Bool {
        [.remoteError, .unknownMember].contains(error.code) && NoticeError(error).code == .rejected
    }

    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        guard receipt.server != nil else { return }
        try await running().close(receipt, within: timeouts.call)
    }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        let session = NotificationsSession(address, report)
        // The server and the notices that it shows remain after the run.
        try await run.run(session, on: session.bus) { () async throws(BusError) in
            [try await session.listen()]
        } failed: {
            report(.error($0))
        }
    }

    /// Returns the session once signals are subscribed to; nothing is shown or closed before.
    func running(within limit: Duration? = nil) async throws(NoticeError) -> NotificationsSession {
        try await run.session(within: timeouts.start, listening: limit ?? timeouts.call)
    }
}
