extension RegionFeed {
    /// The state of a ``RegionFeed`` in a center.
    public struct Report: Sendable, Codable, Hashable, Identifiable {
        /// The ``RegionFeed/id``.
        public var id: String
        /// Whether this run of the app monitors it. Requests of an earlier run stay pending until the feed is monitored
        /// again or stopped.
        public var isMonitored: Bool
        /// The number of its pending requests.
        public var pending: Int
        /// The number of its regions that have fired and don't repeat.
        public var done: Int
        /// The last error of the source; nil if it has returned regions since.
        public var error: NoticeError?
    }
}
