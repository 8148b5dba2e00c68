package import Belfry
package import BelfryAgent
package import BelfryBus

/// The parts that an agent is made of.
package struct AgentServiceOptions: Sendable {
    package var bus = BusAddress.session
    /// Where the apps' stores are.
    package var place: AgentPlace
    /// How the notices of an app are shown.
    package var backend: @Sendable (AppIdentity) -> any DeliveryBackend
    /// Opens an app's store in the given folder.
    package var openStore: @Sendable (_ folder: String) async throws(NoticeError) -> any RequestStore
    /// Whether there is a store in the given folder; makes nothing.
    package var hasStore: @Sendable (_ folder: String) -> Bool
    /// How many reports of damage to the store in the given folder nobody has acknowledged; makes nothing.
    package var damageCount: @Sendable (_ folder: String) -> Int = { _ in 0 }
    /// Asks the user for an app; nil asks nobody.
    package var prompt: (@Sendable (AppIdentity) -> any AuthorizationPrompt)?
    /// Where the machine is, for an app's requests that wait for a place; nil refuses these.
    package var location: (@Sendable (AppIdentity) -> any LocationProvider)?
    package var makeClock: @Sendable () -> any TriggerClock = { SystemTriggerClock() }
    package var lifetime = AgentLifetime.Limits()
    /// When an app whose center can't run is tried again.
    package var retries = RetryDelays()
    /// Where a process's root folder is; of another process it shows whether that one is sandboxed.
    package var processes = "/proc"
    /// Where desktop files are, in folders `applications`: the user's own first.
    package var dataFolders = KeyFile.dataFolders()
    /// Hears in plain words what went wrong with one app.
    package var report: @Sendable (String) -> Void
    /// Where the last reports are kept; nil keeps none.
    package var journal: AgentJournal?

    package init(
        place: AgentPlace,
        backend: @escaping @Sendable (AppIdentity) -> any DeliveryBackend,
        openStore: @escaping @Sendable (_ folder: String) async throws(NoticeError) -> any RequestStore,
        hasStore: @escaping @Sendable (_ folder: String) -> Bool,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.place = place
        self.backend = backend
        self.openStore = openStore
        self.hasStore = hasStore
        self.report = report
    }
}

/// How long to wait after failures in a row: twice as long each time.
package struct RetryDelays: Sendable, Hashable {
    package var first: Duration
    package var longest: Duration

    package init(first: Duration = .seconds(1), longest: Duration = .seconds(300)) {
        self.first = first
        self.longest = longest
    }

    func delay(after failures: Int) -> Duration { min(longest, first * (1 << min(max(failures - 1, 0), 30))) }
}
