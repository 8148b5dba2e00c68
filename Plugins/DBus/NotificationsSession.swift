import Belfry
import BelfryBus
import BelfryServers
import Synchronization

/// One run of the backend: its connection, the server of the moment, and what that shows of ours.
///
/// What the bus brings comes on the connection's queue in the order in which the server sent it: the answer to `Notify`
/// always before the signals about that notice. So an identifier that isn't known here is another program's.
final class NotificationsSession: Sendable {
    let bus: BusConnection
    let report: @Sendable (BackendEvent) -> Void
    let state = Mutex(State())
    /// Open while answers are listened for: nothing is shown before.
    let listening: BusListening
    let badges = LauncherBadges()

    struct State {
        /// The unique name of the server of the moment.
        var owner: String?
        /// That server on that bus: a bus that is started again gives the same names to others.
        var instance: String?
        var server: NotificationServer?
        /// Without those that a server which tells of no closing has left here for long.
        var shown = NewestEntries<UInt32, ShownNotice>()
        var lastShowing = LastShowing()
        /// What is known to have left the screen, the newest.
        var ended = NewestEntries<UInt32, Void>(limit: 1024)

        /// What events name a notice by.
        func reference(_ id: UInt32) -> DeliveryReceipt.Reference {
            DeliveryReceipt.Reference(handle: String(id), server: instance)
        }
    }

    static let name = "org.freedesktop.Notifications"
    static let path: BusObjectPath = "/org/freedesktop/Notifications"
    /// A bus cuts off who sends more than it takes: 32 MiB where its configuration is silent.
    static let configuration = BusConfiguration(messageLimit: 30 << 20)

    init(_ address: BusAddress, _ report: @escaping @Sendable (BackendEvent) -> Void) {
        bus = BusConnection(to: address, configuration: Self.configuration, on: CenterThread.shared.loop)
        listening = BusListening(on: bus)
        self.report = report
    }

    /// Listens until the task is cancelled. The server stays then, and so does what it shows.
    func run() async {
        await listening.run { () async throws(BusError) in
            // Signals before the owner: nothing of a server that is just known is missed.
            let signals = try await bus.subscribe(
                BusMatch(sender: Self.name, path: Self.path, interface: Self.name)
            ) { [weak self] in self?.received($0) }
            let owner = try await bus.watchOwner(of: Self.name) { [weak self] in self?.ownerChanged($0) }
            let launcher = try await bus.watchOwner(of: LauncherBadges.listener) { [weak self] in
                guard let self else { return }
                badges.listenerChanged($0, on: bus)
            }
            return [signals, owner, launcher]
        } failed: {
            report(.error(NoticeError($0)))
        }
    }

    private func ownerChanged(_ owner: String?) {
        let instance = owner.map(instance)
        let (before, told) = state.withLock { state -> (String?, [BackendEvent]) in
            let before = state.instance
            guard before != instance else { return (before, []) }
            // Identifiers die with the server that gave them; what it said before it went counts.
            let told = state.shown.all.sorted { $0.key < $1.key }.flatMap { id, shown in
                var shown = shown
                return shown.settle(as: state.reference(id))
            }
            state = State(owner: owner, instance: instance)
            return (before, told)
        }
        guard before != instance else { return }
        for event in told { report(event) }
        if let before { report(.serverGone(server: before)) }
        if let instance { report(.serverCame(server: instance)) }
    }

    /// What a receipt names a server by.
    func instance(of owner: String) -> String { "\(owner)@\(bus.busID ?? "")" }
}
