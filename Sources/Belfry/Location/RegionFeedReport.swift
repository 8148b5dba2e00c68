extension RegionFeed {
    /// What a center has of a ``RegionFeed``.
    public struct Report: Sendable, Codable, Hashable, Identifiable {
        /// The ``RegionFeed/id``.
        public var id: String
        /// Whether this run of the app monitors it. What an earlier one left stays pending until the feed is monitored
        /// again or stopped.
        public var isMonitored: Bool
        /// How many of its requests are pending.
        public var pending: Int
        /// How many of its regions are over and remembered: those that have fired and don't repeat.
        public var done: Int
        /// Why the source gave no regions last, where it has given none since.
        public var failure: NoticeError?
    }
}
