extension NoticeCenter {
    /// What a removal took out: everything of the identifiers that would still have been shown.
    public struct RemovalReport: Sendable, Codable, Hashable {
        /// One identifier of which something was removed.
        public struct Removed: Sendable, Codable, Hashable, Identifiable {
            public var id: String
            /// The states that its notices were in, what would have come first at the front; never empty.
            public var states: [NoticeStatus]

            /// Creates an entry of a report.
            public init(id: String, states: [NoticeStatus]) {
                self.id = id
                self.states = states
            }
        }

        /// Each identifier once; of a series, each element.
        public var removed: [Removed]
        /// Those of the given identifiers under which nothing was to be shown.
        public var notFound: [String]

        /// Creates a report from its parts.
        public init(removed: [Removed] = [], notFound: [String] = []) {
            self.removed = removed
            self.notFound = notFound
        }
    }
}
