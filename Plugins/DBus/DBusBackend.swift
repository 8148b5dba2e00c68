public import Belfry
public import BelfryBus
import BelfryServers
import Synchronization

/// Shows notices through org.freedesktop.Notifications, over a connection of its own to the session bus.
///
/// The connection is kept for as long as the backend runs: several servers send answers only to the one who posted. A
/// server that restarts, and a bus that goes and returns, are told of; what the server showed is gone with it.
///
/// A click on the notice itself is an answer (``Belfry/NoticeAction/defaultID``) on every server that draws no button
/// for it; where it is a button (Xfce, LXQt) an app gets it by naming that action.
///
/// Pictures made of pixels are scaled down to 256 pixels a side before they go over the bus.
public final class DBusBackend: NonblockingBackend {
    /// How long the parts may take.
    public struct Limits: Sendable, Hashable {
        /// Until the backend runs, for calls that are made while it is being started.
        public var start: Duration
        /// For each answer of the server.
        public var call: Duration

        /// Creates limits; each default suits a desktop.
        public init(start: Duration = .seconds(5), call: Duration = .seconds(10)) {
            self.start = start
            self.call = call
        }
    }

    public let name = "dbus"
    let limits: Limits
    /// Reads GNOME's and MATE's settings; nil where there is none.
    let settingsProgram: String?
    /// Where Plasma's settings are.
    let configFolders: [String]
    private let address: BusAddress
    private let gate = StartGate<NotificationsSession>(on: CenterThread.shared.loop)

    /// Creates a backend; it connects when a center runs it.
    public convenience init(bus address: BusAddress = .session, limits: Limits = Limits()) {
        self.init(bus: address, limits: limits, settingsProgram: DesktopSettings.standardProgram)
    }

    init(
        bus address: BusAddress,
        limits: Limits,
        settingsProgram: String?,
        configFolders: [String] = DesktopSettings.standardFolders()
    ) {
        self.address = address
        self.limits = limits
        self.settingsProgram = settingsProgram
        self.configFolders = configFolders
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await running().server(within: limits.call).1.capabilities
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let session = try await running()
        let (owner, server) = try await session.server(within: limits.call)
        let instance = session.instance(of: owner)
        var message = try message(of: delivery, on: server, instance)
        var result = await session.notify(message, to: owner, within: limits.call)
        if message.replaces != 0, case .failure(let error) = result, Self.isRefusal(error) {
            // Gone, or another connection's, in this server's opinion: then it is a new one.
            message = try NotifyMessage(delivery, on: server, replacing: 0)
            message.lose(.replacing, "\(server.name) did not replace the former notice")
            result = await session.notify(message, to: owner, within: limits.call)
        }
        let id = try result.mapError(NoticeError.init).get()
        guard id != 0 || server.known.showsWithoutNumber else {
            throw NoticeError(
                .rejected,
                "\(server.name) answered with the identifier 0, which names no notice: it did not show this one as one."
            )
        }
        if id == 0 {
            message.lose(.replacing, "\(server.name) gave no number: the notice can be neither replaced nor taken back")
        }
        if let badge = delivery.content.badge { setBadge(badge, with: &message, of: delivery.app, in: session) }
        let handle = id == 0 ? Self.numberless(delivery) : String(id)
        return DeliveryReceipt(backend: name, handle: handle, server: instance, lost: message.lost)
    }

    /// What a receipt calls a notice that the server shows without a number: another name for each, so that they are
    /// not taken for one, and no number, so that nothing is asked of the server by it.
    private static func numberless(_ delivery: Delivery) -> String { "0 \(delivery.id)" }

    /// What `Notify` is called with; what it takes the place of by the server's number, where that is still the same
    /// server.
    func message(
        of delivery: Delivery,
        on server: NotificationServer,
        _ instance: String
    ) throws(NoticeError) -> NotifyMessage {
        guard let receipt = delivery.replaces else { return try NotifyMessage(delivery, on: server, replacing: 0) }
        // An old identifier means another notice on a new server.
        let id = receipt.server == instance ? NotificationsSession.identifier(in: receipt) : nil
        var message = try NotifyMessage(delivery, on: server, replacing: id ?? 0)
        if id == nil {
            let reason =
                receipt.server == instance
                ? "\(server.name) gave the former notice no number"
                : "the server that showed the former notice is gone"
            message.lose(.replacing, reason)
        }
        return message
    }

    /// The server answered, and means this call: not a busy one, nor one that speaks another language.
    private static func isRefusal(_ error: BusError) -> Bool {
        [.remoteError, .unknownMember].contains(error.code) && NoticeError(error).code == .rejected
    }

    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        guard receipt.server != nil else { return }
        try await running().close(receipt, within: limits.call)
    }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        let session = NotificationsSession(address, report)
        guard await gate.runAlone(session, session.run) else {
            throw NoticeError(.unsupported, "This backend is running already: make one for each center.")
        }
    }

    /// A center starts its backend and its deliveries at the same time: one waits for the other.
    func running() async throws(NoticeError) -> NotificationsSession {
        guard let session = await gate.wait(within: limits.start) else {
            throw NoticeError(.backendStopped, "The D-Bus backend is not running: run the center first.")
        }
        return session
    }
}
