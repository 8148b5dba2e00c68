extension RegionFeed {
    /// What a center has of a ``RegionFeed``.
    public struct Report: Sendable, Codable, Hashable {
        public var name: String
        /// Whether this run of the app keeps it. What an earlier one left stays pending until the feed is kept again or ended.
        public var isKept: Bool
        /// How many of its requests are pending.
        public var pending: Int
        /// How many of its regions are over and remembered: those that have fired and don't repeat.
        public var done: Int
        /// Why the source gave no regions last, where it has given none since.
        public var failure: NoticeError?
    }
}
