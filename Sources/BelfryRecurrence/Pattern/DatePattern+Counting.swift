extension DatePattern {
    /// The largest count that is looked up date by date; it takes some 10 ms.
    public static let maximumCount = 500_000

    /// The same rule with no more than its first `count` dates, counted from its start: from
    /// ``bounded(from:through:)``, else from the year 1. The last of them is looked up here, once, so that
    /// ``next(after:)`` stays O(1).
    ///
    /// A count that all the seconds to the year 9999 can't reach limits nothing.
    /// - Throws: ``RecurrenceError/Code/limitExceeded`` where the rule has more dates than ``maximumCount`` and `count`
    ///   is larger than that; ``RecurrenceError/Code/invalidComponent`` where it is negative.
    public func limited(to count: Int) throws(RecurrenceError) -> DatePattern {
        if count < 0 {
            throw RecurrenceError(code: .invalidComponent, message: "A count of \(count) is less than 0.")
        }
        if count >= Gregorian.daysPerCycle * 25 * Gregorian.secondsPerDay { return self }
        var last = Int64.min
        for _ in 0..<min(count, Self.maximumCount) {
            guard let next = next(after: last) else { return self }
            last = next
        }
        if count > Self.maximumCount, next(after: last) != nil {
            throw RecurrenceError(
                code: .limitExceeded,
                message: "A count of \(count) is more than \(Self.maximumCount). Leave it out, or give an end instead."
            )
        }
        return bounded(through: last)
    }
}
