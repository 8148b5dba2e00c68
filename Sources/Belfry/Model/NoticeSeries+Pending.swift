public import FoundationEssentials

extension NoticeSeries {
    /// The position of an element in its series, set by ``NoticeSeries/requests(startingAt:)``.
    public struct Position: Sendable, Codable, Hashable {
        /// The number of the element, counted from 1.
        public var number: Int
        /// How many notices were requested.
        public var count: Int
        /// How many of them the pending limit allowed when the series was added.
        public var kept: Int
        /// When the first element was due.
        public var first: Date

        /// Creates a position from its parts.
        public init(number: Int, count: Int, kept: Int, first: Date) {
            self.number = number
            self.count = count
            self.kept = kept
            self.first = first
        }
    }

    /// A series with pending notices.
    public struct Pending: Sendable, Codable, Hashable, Identifiable {
        /// The ``NoticeSeries/id``.
        public var id: String
        /// The title of the next notice.
        public var title: String
        /// How many of its notices are pending, including snoozed ones.
        public var left: Int
        /// When the next notice is due; nil if none waits for a time.
        public var next: Date?
        /// When the first element was due; before ``next`` if some have been shown already.
        public var first: Date?
        /// When the last pending notice is due.
        public var last: Date?
        /// How many the pending limit allowed when the series was added.
        public var kept: Int
        /// How many were requested.
        public var total: Int

        private enum CodingKeys: String, CodingKey {
            case id = "base"
            case title, left, next, first, last, kept, total
        }
    }
}
