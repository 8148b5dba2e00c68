package import FoundationEssentials
import Glibc

/// The last errors of a program that nobody watches, where `belfry doctor` finds them: one JSON object a line.
package struct ErrorJournal: Sendable {
    package struct Entry: Sendable, Codable, Hashable {
        package var date: Date
        package var message: String
    }

    /// The newest so many entries are kept.
    package static let limit = 100
    /// A message is cut at so many bytes: a journal stays small whatever is written.
    private static let longestMessage = 2_000

    private let path: String

    package init(path: String) { self.path = path }

    /// The agent's: `$XDG_STATE_HOME/belfry/agent-errors.jsonl`.
    package static func ofAgent(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> ErrorJournal {
        ErrorJournal(path: BaseFolder.state.path(in: environment) + "/belfry/agent-errors.jsonl")
    }

    /// Adds an entry at the end. A journal that can't be written is no error of its own.
    package func append(_ message: String, date: Date = Date()) {
        let text = String(decoding: message.utf8.prefix(Self.longestMessage), as: UTF8.self)
        let kept = entries().suffix(Self.limit - 1) + [Entry(date: date, message: text)]
        let encoder = JSONEncoder()
        var lines = Data()
        for entry in kept {
            guard let line = try? encoder.encode(entry) else { continue }
            lines.append(line)
            lines.append(0x0A)
        }
        PrivateFile.replace(path, with: lines)
    }

    /// Oldest first. Lines that can't be read are left out.
    package func entries() -> [Entry] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        let decoder = JSONDecoder()
        return data.split(separator: 0x0A).compactMap { try? decoder.decode(Entry.self, from: Data($0)) }
    }

    /// Forgets all entries.
    package func clear() { unlink(path) }
}
