package import Belfry
package import BelfryAgent
package import BelfryBus

/// The components of an agent.
package struct AgentServiceOptions: Sendable {
    package var bus = BusAddress.session
    /// The directory of the apps' stores.
    package var storage: AgentStorage
    /// Makes the backend that shows an app's notices.
    package var backend: @Sendable (AppIdentity) -> any DeliveryBackend
    /// Opens an app's store in the given directory.
    package var openStore: @Sendable (_ folder: String) async throws(NoticeError) -> any RequestStore
    /// Returns whether the given directory has a store; creates nothing.
    package var hasStore: @Sendable (_ folder: String) -> Bool
    /// Returns the number of unacknowledged reports of store damage in the given directory; creates nothing.
    package var damageCount: @Sendable (_ folder: String) -> Int = { _ in 0 }
    /// Makes the prompt that asks the user for permission; nil for none.
    package var prompt: (@Sendable (AppIdentity) -> any AuthorizationPrompt)?
    /// Makes the location provider for an app's region requests; nil refuses these requests.
    package var location: (@Sendable (AppIdentity) -> any LocationProvider)?
    package var makeClock: @Sendable () -> any TriggerClock = { SystemTriggerClock() }
    package var lifetime = AgentLifetime.Timeouts()
    /// The delays before an app whose center can't run is retried.
    package var retries = RetryDelays()
    /// The directory of processes. The root directory of a process shows whether it is sandboxed.
    package var processes = "/proc"
    /// The data directories whose `applications` directories have desktop files: the user's own first.
    package var dataFolders = KeyFile.dataFolders()
    /// Receives errors of single apps in plain words.
    package var report: @Sendable (String) -> Void
    /// Stores the last reports; nil stores none.
    package var journal: AgentJournal?

    package init(
        storage: AgentStorage,
        backend: @escaping @Sendable (AppIdentity) -> any DeliveryBackend,
        openStore: @escaping @Sendable (_ folder: String) async throws(NoticeError) -> any RequestStore,
        hasStore: @escaping @Sendable (_ folder: String) -> Bool,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.storage = storage
        self.backend = backend
        self.openStore = openStore
        self.hasStore = hasStore
        self.report = report
    }
}

/// The delays after consecutive errors, each twice the one before.
package struct RetryDelays: Sendable, Hashable {
    package var first: Duration
    package var longest: Duration

    package init(first: Duration = .seconds(1), longest: Duration = .seconds(300)) {
        self.first = first
        self.longest = longest
    }

    func delay(after failures: Int) -> Duration { min(longest, first * (1 << min(max(failures - 1, 0), 30))) }
}
