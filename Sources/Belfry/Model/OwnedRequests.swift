import FoundationEssentials

/// All requests that an owner, such as a schedule file, wants pending. Entries that it no longer contains are removed.
package struct OwnedRequests: Sendable, Codable, Hashable {
    package struct Entry: Sendable, Codable, Hashable {
        /// The key, unique among the owner's entries.
        package var key: String
        /// A hash of the entry's content; an entry whose fingerprint is stored already is left unchanged.
        package var fingerprint: String
        /// The requests of the entry if it begins now; nil if the caller expects its fingerprint to be stored already.
        package var requests: [NoticeRequest]?
        /// The name of the entry in the report.
        package var name: String
        /// Why the entry has no requests, if it has none.
        package var remark: String?

        package init(
            key: String,
            fingerprint: String,
            requests: [NoticeRequest]?,
            name: String? = nil,
            remark: String? = nil
        ) {
            self.key = key
            self.fingerprint = fingerprint
            self.requests = requests
            self.name = name ?? key
            self.remark = remark
        }
    }

    package var owner: String
    package var entries: [Entry]

    package init(owner: String, entries: [Entry]) {
        self.owner = owner
        self.entries = entries
    }
}

/// The stored state of an owner's entry. It is kept as long as the owner has the entry, even after its last notice, so
/// that the same entry does not begin again.
package struct OwnedEntry: Sendable, Codable, Hashable {
    /// The key, unique among the owner's entries.
    package var key: String
    package var fingerprint: String
    /// The identifiers of its requests; for a series, its base.
    package var requestIDs: [String]
    /// Those that are bases of series. Nil for a region of a feed, which has none, and for an entry that an earlier
    /// version stored: then each may be one.
    private var seriesIDs: [String]?

    package init(key: String, fingerprint: String, requestIDs: [String], seriesIDs: [String]? = nil) {
        self.key = key
        self.fingerprint = fingerprint
        self.requestIDs = requestIDs
        self.seriesIDs = seriesIDs
    }

    /// The identifiers of its series.
    var series: [String] { seriesIDs ?? requestIDs }
    /// The identifiers of its requests outside of series.
    var singles: [String] {
        guard let bases = seriesIDs.map({ Set($0) }) else { return requestIDs }
        return requestIDs.filter { !bases.contains($0) }
    }
}

extension NoticeCenter {
    /// The changes that a synchronization made to an owner's requests, by identifier (for a series, its base), in the
    /// order of the entries.
    public struct SynchronizationReport: Sendable, Codable, Hashable {
        /// An entry that was skipped, with the reason; it is not an error.
        public struct Skipped: Sendable, Codable, Hashable {
            /// The identifier of the entry.
            public var entry: String
            /// The reason, as a full sentence.
            public var message: String
        }

        /// The identifiers of new entries.
        public var added: [String] = []
        /// The identifiers of changed entries.
        public var updated: [String] = []
        /// The identifiers of entries that were stored already.
        public var unchanged: [String] = []
        /// The identifiers of entries that no longer exist or have no future date, and that had pending requests.
        public var removed: [String] = []
        /// Entries without pending requests: they have no future date, or no room under the pending limit.
        public var skipped: [Skipped] = []
        /// Warnings about ignored parts of triggers and about requests without room, and advice.
        public var warnings: [String] = []

        /// Creates an empty report.
        public init() {}

        /// True if nothing had to be changed.
        public var changesNothing: Bool { added.isEmpty && updated.isEmpty && removed.isEmpty }
    }
}

extension NoticeError.Code {
    /// The identifier belongs to another owner, or to the app itself. Permanent: choose another one for the entry.
    public static let identifierTaken = Self(rawValue: "identifierTaken")
    /// Another process has synchronized the same owner in the meantime. Transient: try again.
    public static let ownerChanged = Self(rawValue: "ownerChanged")
}
