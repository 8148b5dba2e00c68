package import Belfry
package import BelfryAgent
package import BelfryBus
import BelfrySQLite

/// The components of an agent.
package struct AgentServiceOptions: Sendable {
    package var bus = BusAddress.session
    /// The directory of the apps' stores.
    package var storage: AgentStorage
    /// Makes the backend that shows an app's notices.
    package var backend: @Sendable (AppIdentity) -> any DeliveryBackend
    /// Opens an app's store in the given directory; tests count or fail the openings.
    ///
    /// Waits while the previous agent has the store. At a new login the agent of the old session remains for
    /// ``AgentLifetime/Timeouts/busLoss`` and the time that its end takes. If the store were refused immediately, the
    /// new agent would fire none of this app's requests until the next call.
    package var openStore: @Sendable (_ folder: String) async throws(NoticeError) -> any RequestStore = { folder in
        try await SQLiteRequestStore.open(
            in: folder,
            options: SQLiteStoreOptions(triggers: .agent, lockWait: .seconds(15))
        )
    }
    /// Makes the prompt that asks the user for an app's permission; nil if the app needs none.
    package var prompt: @Sendable (AppIdentity) -> (any AuthorizationPrompt)? = { _ in nil }
    /// Makes the location provider for an app's region requests; nil refuses these requests.
    package var location: (@Sendable (AppIdentity) -> any LocationProvider)?
    package var makeClock: @Sendable () -> any TriggerClock = { SystemTriggerClock() }
    package var lifetime = AgentLifetime.Timeouts()
    /// The delays before an app whose center can't run is retried.
    package var retries = BusReconnection(first: .seconds(1), longest: .seconds(300))
    /// The directory of processes. The root directory of a process shows whether it is sandboxed.
    package var processes = "/proc"
    /// The data directories whose `applications` directories have desktop files: the user's own first.
    package var dataFolders = KeyFile.dataFolders()
    /// Receives errors of single apps in plain words.
    package var report: @Sendable (String) -> Void
    /// Stores the last reports; nil stores none.
    package var journal: ErrorJournal?

    package init(
        storage: AgentStorage,
        backend: @escaping @Sendable (AppIdentity) -> any DeliveryBackend,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.storage = storage
        self.backend = backend
        self.report = report
    }
}
