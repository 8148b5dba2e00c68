extension NoticeCenter {
    /// The result of a removal: everything under the identifiers that would still have been shown.
    public struct RemovalReport: Sendable, Codable, Hashable {
        /// An identifier under which something was removed.
        public struct Removed: Sendable, Codable, Hashable, Identifiable {
            public var id: String
            /// The states of the removed notices, sorted by what would have come first; never empty.
            public var states: [NoticeStatus]

            /// Creates an entry of a report.
            public init(id: String, states: [NoticeStatus]) {
                self.id = id
                self.states = states
            }
        }

        /// The identifiers under which something was removed, each once; for a series, each element.
        public var removed: [Removed]
        /// The given identifiers under which nothing would have been shown.
        public var notFound: [String]

        /// Creates a report from its parts.
        public init(removed: [Removed] = [], notFound: [String] = []) {
            self.removed = removed
            self.notFound = notFound
        }
    }
}
