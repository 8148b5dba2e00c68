package import Belfry
import BelfryAgent
package import BelfrySQLite

extension SQLiteRequestStore {
    /// Opens an app's store for the agent.
    ///
    /// Waits while the previous agent has the store. At a new login the agent of the old session remains for
    /// ``AgentLifetime/Timeouts/busLoss`` and the time that its end takes. If the store were refused immediately, the new
    /// agent would fire none of this app's requests until the next call.
    package static func openForAgent(
        in folder: String
    ) async throws(NoticeError) -> SQLiteRequestStore {
        try await open(in: folder, options: SQLiteStoreOptions(triggers: .agent, lockWait: .seconds(15)))
    }
}
