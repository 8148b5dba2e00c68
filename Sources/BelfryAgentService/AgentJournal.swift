import Belfry
package import BelfryAgent
import Dispatch

/// The agent's reports, stored on disk. They are written on a queue of their own, so that a slow disk delays no alarm.
package final class AgentJournal: Sendable {
    private let journal: ErrorJournal
    private let queue = DispatchQueue(label: "org.belfry.agent.journal")

    package init(_ journal: ErrorJournal) { self.journal = journal }

    func append(_ message: String) {
        let date = SystemTriggerClock().now().date
        queue.async { [journal] in journal.append(message, date: date) }
    }

    /// The last errors, oldest first.
    func errors() async -> [AgentStatus.ReportedError] {
        await queue.perform { [journal] in journal.entries() }
    }

    /// Returns when everything appended so far is on disk.
    func finish() async { _ = await errors() }
}
