public import FoundationEssentials

extension NoticeStore {
    /// A report of damage found in a store, and its consequences.
    ///
    /// A store keeps its reports until they are acknowledged. Opening an undamaged store creates none.
    public struct Damage: Sendable, Codable, Hashable, Identifiable {
        /// The identifier of the report, unique in its store.
        public var id: String
        /// When the damage was found.
        public var foundAt: Date
        /// A description of the damage, for users and bug reports.
        public var reason: String
        /// The path to which the damaged file was moved; its write-ahead log has the same path with `-wal` appended.
        /// Nil if no file was replaced.
        public var setAside: String?
        /// The number of saved rows of each table.
        public var saved: [String: Int]
        /// The losses, in sentences; empty if every row was saved.
        public var losses: [String]
        /// The lost requests, as far as they are known.
        public var requests: [UnreadableRequest]

        /// Creates a report from its parts.
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

        /// The whole report in a few sentences, for a terminal or a log.
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
        /// The identifier of the request; nil if it is lost too.
        public var id: String?
        /// The number of the stored request; nil if it is lost too.
        public var revision: Int64?
        /// Why the request can't be read.
        public var reason: String

        /// Creates a description of a lost request from its parts.
        public init(id: String?, revision: Int64?, reason: String) {
            self.id = id
            self.revision = revision
            self.reason = reason
        }
    }
}
