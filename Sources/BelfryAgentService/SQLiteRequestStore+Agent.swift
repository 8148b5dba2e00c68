package import Belfry
import BelfryAgent
package import BelfrySQLite

extension SQLiteRequestStore {
    /// An app's store, as the agent opens it.
    ///
    /// Waits for the agent before: at a new login the one of the old session is there for as long as
    /// ``AgentLifetime/Limits/busLoss`` says, and what it ends with. Refused at once, the new one would fire nothing of
    /// this app's until somebody asked for it.
    package static func openForAgent(
        in folder: String
    ) async throws(NoticeError) -> SQLiteRequestStore {
        try await open(in: folder, options: SQLiteStoreOptions(triggers: .agent, lockWait: .seconds(15)))
    }
}
