public import FoundationEssentials

extension NoticeSeries {
    /// Where an element stands in its series; a request has it from ``NoticeSeries/requests(startingAt:)``.
    public struct Position: Sendable, Codable, Hashable {
        /// Counted from 1.
        public var number: Int
        /// How many notices the series was asked for.
        public var count: Int
        /// How many of them found room under the pending limit when the series was added.
        public var kept: Int
        /// When the first of all was due.
        public var first: Date

        /// Creates a position from its parts.
        public init(number: Int, count: Int, kept: Int, first: Date) {
            self.number = number
            self.count = count
            self.kept = kept
            self.first = first
        }
    }

    /// A series of which something is pending.
    public struct Pending: Sendable, Codable, Hashable, Identifiable {
        /// The ``NoticeSeries/id``.
        public var id: String
        /// The title of the notice that comes next.
        public var title: String
        /// How many of its notices are pending, those among them that were snoozed.
        public var left: Int
        /// Nil where nothing of it waits for a time.
        public var next: Date?
        /// When the first of all was due: before ``next`` where some have come already.
        public var first: Date?
        /// When the last one that is pending is due.
        public var last: Date?
        /// How many found room under the pending limit when the series was added.
        public var kept: Int
        /// How many were asked for.
        public var total: Int

        /// Creates it from its parts.
        public init(
            id: String,
            title: String,
            left: Int,
            next: Date?,
            first: Date?,
            last: Date?,
            kept: Int,
            total: Int
        ) {
            self.id = id
            self.title = title
            self.left = left
            self.next = next
            self.first = first
            self.last = last
            self.kept = kept
            self.total = total
        }

        private enum CodingKeys: String, CodingKey {
            case id = "base"
            case title, left, next, first, last, kept, total
        }
    }
}
