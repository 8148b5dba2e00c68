extension CenterOptions {
    /// The maximum number of pending requests, and what happens beyond it. A repeating request counts once.
    ///
    /// A snoozed notice counts until it is shown again, together with its request if that repeats. The user asked for
    /// it, so a snooze is never refused, and a snoozed notice is never dropped. Snoozes alone may exceed the limit.
    public struct PendingLimit: Sendable, Codable, Hashable {
        /// What happens to a request that does not fit.
        public enum Overflow: String, Sendable, Codable, Hashable, CaseIterable {
            /// The request is refused with an error.
            case refuse
            /// The request that fires last is dropped, which may be the one that was just added.
            case keepSoonest
            /// The request with the lowest level, then the lowest relevance, then the latest addition is dropped.
            case keepHighestPriority
        }

        /// The maximum number of requests; 0 or more.
        public var count: Int
        /// What happens to a request beyond the limit.
        public var overflow: Overflow

        /// Creates a limit; a count below 0 counts as 0.
        public init(count: Int, overflow: Overflow = .refuse) {
            self.count = max(0, count)
            self.overflow = overflow
        }

        /// The limit of iOS: 64 requests.
        public static let appleDefault = PendingLimit(count: 64, overflow: .keepSoonest)
    }
}
