public import FoundationEssentials

extension NoticeStore {
    /// What was found damaged in a store, and what became of it.
    ///
    /// A store keeps its reports until somebody has acknowledged them. An opening that finds nothing makes none.
    public struct Damage: Sendable, Codable, Hashable, Identifiable {
        /// Names the report among those of its store.
        public var id: String
        /// When it was found.
        public var foundAt: Date
        /// What was found, for users and bug reports.
        public var reason: String
        /// The damaged file under its new name; its write-ahead log stands beside it with `-wal` at the end. Nil where
        /// no file was replaced.
        public var setAside: String?
        /// How many rows of each table were saved.
        public var saved: [String: Int]
        /// What could not be saved, in sentences; empty where every row was saved.
        public var losses: [String]
        /// The lost requests, as far as they are known.
        public var requests: [UnreadableRequest]

        /// Creates it from its parts.
        public init(
            id: String = UUID().uuidString,
            foundAt: Date = Date(),
            reason: String,
            setAside: String? = nil,
            saved: [String: Int] = [:],
            losses: [String] = [],
            requests: [UnreadableRequest] = []
        ) {
            self.id = id
            self.foundAt = foundAt
            self.reason = reason
            self.setAside = setAside
            self.saved = saved
            self.losses = losses
            self.requests = requests
        }

        /// All of it in a few sentences, for a terminal or a log.
        public var message: String {
            var sentences = ["The store was damaged (\(reason))."]
            if let setAside {
                let counts = saved.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }
                sentences.append(
                    "It was set aside as '\(setAside)'; saved were "
                        + "\(counts.isEmpty ? "no rows" : counts.joined(separator: ", "))."
                )
            }
            return (sentences + losses).joined(separator: " ")
        }
    }
}

extension NoticeStore {
    /// A request that a store has lost, or can't read any more.
    public struct UnreadableRequest: Sendable, Codable, Hashable {
        /// Nil where the damage has taken it too.
        public var id: String?
        /// The number of the stored request; nil where that is lost too.
        public var revision: Int64?
        /// Why it can't be read.
        public var reason: String

        /// Creates it from its parts.
        public init(id: String?, revision: Int64?, reason: String) {
            self.id = id
            self.revision = revision
            self.reason = reason
        }
    }
}
