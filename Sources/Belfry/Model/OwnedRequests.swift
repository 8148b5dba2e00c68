import FoundationEssentials

/// What one owner, such as a schedule file, wants pending: all of it, so that what is not in it any more is removed.
package struct OwnedRequests: Sendable, Codable, Hashable {
    package struct Entry: Sendable, Codable, Hashable {
        /// Unique among the owner's entries.
        package var key: String
        /// Changes with what the entry says; an entry whose fingerprint is known is left as it is.
        package var fingerprint: String
        /// What the entry comes to when it begins now. Nil where the caller holds the fingerprint to be known.
        package var requests: [NoticeRequest]?
        /// What the report calls it.
        package var name: String
        /// Why there are no requests, where there are none.
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

/// What is kept of an owner's entry, for as long as the owner has it: also when its last notice was shown long ago, so
/// that the same entry does not begin anew.
package struct OwnedEntry: Sendable, Codable, Hashable {
    /// Unique among the owner's entries.
    package var key: String
    package var fingerprint: String
    /// The identifiers of its requests; of a series, its base.
    package var requestIDs: [String]

    package init(key: String, fingerprint: String, requestIDs: [String]) {
        self.key = key
        self.fingerprint = fingerprint
        self.requestIDs = requestIDs
    }
}

extension NoticeCenter {
    /// What bringing an owner's requests up to date has changed, by their identifiers (of a series, its base), in the
    /// order of the entries.
    public struct SynchronizationReport: Sendable, Codable, Hashable {
        /// An entry that was not taken, and why; it is no error.
        public struct Remark: Sendable, Codable, Hashable {
            /// The key of the entry that it is about.
            public var entry: String
            /// A full sentence.
            public var message: String

            /// Creates a remark from its parts.
            public init(entry: String, message: String) {
                self.entry = entry
                self.message = message
            }
        }

        /// The keys of entries that are new.
        public var added: [String] = []
        /// The keys of entries that have changed.
        public var updated: [String] = []
        /// The keys of entries that were there already.
        public var unchanged: [String] = []
        /// Entries that are gone, and of which something was pending.
        public var removed: [String] = []
        /// Entries that have no date to come, such as a one-shot that is past.
        public var reported: [Remark] = []
        /// What of the triggers was left out of account, and hints.
        public var warnings: [String] = []

        /// Creates a report of nothing.
        public init() {}

        /// True where everything was as it is wanted.
        public var changesNothing: Bool { added.isEmpty && updated.isEmpty && removed.isEmpty }
    }
}

extension NoticeError.Code {
    /// An identifier belongs to another owner, or to the app itself. Permanent: give the entry another one.
    public static let identifierTaken = Self(rawValue: "identifierTaken")
    /// Somebody else has synchronized the same owner in between. Transient: try again.
    public static let ownerChanged = Self(rawValue: "ownerChanged")
}
