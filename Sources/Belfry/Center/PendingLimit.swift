extension CenterOptions {
    /// How many requests may be pending, and what happens to one too many. A repeating request counts once.
    ///
    /// A notice that was put off counts until it comes again, together with its request where that repeats. The user
    /// asked for it: a snooze is never refused, and what is put off is never dropped to make room, so that snoozes
    /// alone may go beyond the limit.
    public struct PendingLimit: Sendable, Codable, Hashable {
        /// What happens to a request that does not fit.
        public enum Overflow: String, Sendable, Codable, Hashable, CaseIterable {
            /// The request that does not fit is refused with an error.
            case refuse
            /// The one that fires last is dropped; it may be the one that was just added.
            case keepSoonest
            /// The one of the lowest interruption level, then relevance, then the latest added, is dropped.
            case keepHighestPriority
        }

        /// 0 or more.
        public var count: Int
        /// What happens to one too many.
        public var overflow: Overflow

        /// Creates a limit; a count below 0 counts as 0.
        public init(count: Int, overflow: Overflow = .refuse) {
            self.count = max(0, count)
            self.overflow = overflow
        }

        /// 64, as iOS has it.
        public static let appleDefault = PendingLimit(count: 64, overflow: .keepSoonest)
    }
}
