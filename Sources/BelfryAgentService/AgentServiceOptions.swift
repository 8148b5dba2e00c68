import Belfry
import BelfryAgent
import BelfryBus

/// The parts that an agent is made of.
public struct AgentServiceOptions: Sendable {
    public var bus: BusAddress
    /// Where the apps' stores are.
    public var place: AgentPlace
    /// How the notices of an app are shown.
    public var backend: @Sendable (AppIdentity) -> any DeliveryBackend
    /// Opens an app's store in the given folder.
    public var openStore: @Sendable (_ folder: String) async throws(NoticeError) -> any RequestStore
    /// Asks the person for an app; nil asks nobody.
    public var prompt: (@Sendable (AppIdentity) -> any AuthorizationPrompt)?
    /// Where the machine is, for an app's requests that wait for a place; nil refuses these.
    public var location: (@Sendable (AppIdentity) -> any LocationProvider)?
    public var makeClock: @Sendable () -> any TriggerClock
    public var lifetime: AgentLifetime.Limits
    /// Where a process's root folder is; of another process it shows whether that one is sandboxed.
    public var processes: String
    /// Where desktop files are, in folders `applications`: the user's own first.
    public var dataFolders: [String]
    /// Hears in plain words what went wrong with one app.
    public var report: @Sendable (String) -> Void

    public init(
        bus: BusAddress = .session,
        place: AgentPlace,
        backend: @escaping @Sendable (AppIdentity) -> any DeliveryBackend,
        openStore: @escaping @Sendable (_ folder: String) async throws(NoticeError) -> any RequestStore,
        prompt: (@Sendable (AppIdentity) -> any AuthorizationPrompt)? = nil,
        location: (@Sendable (AppIdentity) -> any LocationProvider)? = nil,
        makeClock: @escaping @Sendable () -> any TriggerClock = { SystemTriggerClock() },
        lifetime: AgentLifetime.Limits = AgentLifetime.Limits(),
        processes: String = "/proc",
        dataFolders: [String] = DesktopEntry.dataFolders(),
        report: @escaping @Sendable (String) -> Void
    ) {
        self.bus = bus
        self.place = place
        self.backend = backend
        self.openStore = openStore
        self.prompt = prompt
        self.location = location
        self.makeClock = makeClock
        self.lifetime = lifetime
        self.processes = processes
        self.dataFolders = dataFolders
        self.report = report
    }
}
