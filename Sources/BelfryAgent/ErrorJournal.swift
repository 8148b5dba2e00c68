import Belfry
package import FoundationEssentials
import Glibc

/// The last errors of a background program, for `belfry doctor`: one JSON object per line.
package struct ErrorJournal: Sendable {
    /// The number of newest entries that are kept.
    package static let limit = 100
    /// The largest number of bytes in a message, which keeps the journal small.
    private static let longestMessage = 2_000

    private let path: String

    package init(path: String) { self.path = path }

    /// Returns the agent's journal: `$XDG_STATE_HOME/belfry/agent-errors.jsonl`.
    package static func ofAgent(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> ErrorJournal {
        ErrorJournal(path: BaseFolder.state.path(in: environment) + "/belfry/agent-errors.jsonl")
    }

    /// Appends an entry. Write errors are ignored.
    package func append(_ message: String, date: Date = Date()) {
        let text = String(decoding: message.utf8.prefix(Self.longestMessage), as: UTF8.self)
        let kept = entries().suffix(Self.limit - 1) + [AgentStatus.ReportedError(date: date, message: text)]
        let encoder = JSONEncoder()
        var lines = Data()
        for entry in kept {
            guard let line = try? encoder.encode(entry) else { continue }
            lines.append(line)
            lines.append(0x0A)
        }
        PrivateFile.replace(path, with: lines)
    }

    /// Returns all entries, oldest first. Unreadable lines are skipped.
    package func entries() -> [AgentStatus.ReportedError] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        let decoder = JSONDecoder()
        return data.split(separator: 0x0A).compactMap {
            try? decoder.decode(AgentStatus.ReportedError.self, from: Data($0))
        }
    }

    /// Removes all entries.
    package func clear() { unlink(path) }
}
