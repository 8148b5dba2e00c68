import Belfry
import BelfryBus
import BelfryBusBackend
import BelfryServers
import Synchronization

/// One run of the backend: its connection, the current server, and the notices that it shows for us.
///
/// Messages arrive on the connection's thread in the order in which the server sent them: the reply to `Notify` always
/// before the signals about that notice. So an unknown number belongs to another program's notice.
final class NotificationsSession: Sendable {
    let bus: BusConnection
    let report: @Sendable (BackendEvent) -> Void
    let state = Mutex(State())
    let badges = LauncherBadges()

    struct State {
        /// The unique name of the current server.
        var owner: String?
        /// The server and its bus: a restarted bus assigns the same unique names to other programs.
        var instance: String?
        var server: NotificationServer?
        /// The notices on the screen; bounded, because some servers never report that a notice was closed.
        var shown = NewestEntries<UInt32, ShownNotice>()
        var lastShowing = LastShowing()
        /// The newest notices known to have left the screen.
        var ended = NewestEntries<UInt32, Void>(limit: 1024)

        /// How long closing a notice has to be delayed now.
        var pauseBeforeClosing: Duration { server.map { lastShowing.pause(on: $0.known) } ?? .zero }

        /// Returns the reference by which events name a notice.
        func reference(_ id: UInt32) -> DeliveryReceipt.Reference {
            DeliveryReceipt.Reference(handle: String(id), server: instance)
        }
    }

    static let name = "org.freedesktop.Notifications"
    static let path: BusObjectPath = "/org/freedesktop/Notifications"
    /// A bus disconnects clients that send more than its limit, which is 32 MiB by default.
    static let configuration = BusConfiguration(messageLimit: 30 << 20)

    init(_ address: BusAddress, _ report: @escaping @Sendable (BackendEvent) -> Void) {
        bus = BusConnection(to: address, configuration: Self.configuration, on: CenterThread.shared.loop)
        self.report = report
    }

    /// Subscribes to what the session receives from the bus.
    func listen() async throws(BusError) -> BusSubscription {
        // Signals before the owner, so that no signal of a newly known server is missed.
        try await bus.subscribe([
            .signals(BusMatch(sender: Self.name, path: Self.path, interface: Self.name)) { [weak self] in
                self?.received($0)
            },
            .owner(of: Self.name) { [weak self] in self?.ownerChanged($0) },
            .owner(of: LauncherBadges.listener) { [weak self] owner in
                guard let self else { return }
                badges.listenerChanged(owner, on: bus)
            },
        ])
    }

    private func ownerChanged(_ owner: String?) {
        let instance = owner.map(instance)
        let events = state.withLock { state -> [BackendEvent] in
            guard state.instance != instance else { return [] }
            // Numbers are invalid once their server is gone; its earlier signals are still reported.
            var events = state.shown.all.sorted { $0.key < $1.key }.flatMap { id, shown in
                var shown = shown
                return shown.settle(as: state.reference(id))
            }
            if let before = state.instance { events.append(.serverGone(server: before)) }
            if let instance { events.append(.serverCame(server: instance)) }
            state = State(owner: owner, instance: instance)
            return events
        }
        for event in events { report(event) }
    }

    /// Returns the name of a server in receipts.
    func instance(of owner: String) -> String { "\(owner)@\(bus.busID ?? "")" }
}
