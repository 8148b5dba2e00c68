extension DatePattern {
    /// The largest count that is looked up date by date, which takes some 10 ms.
    public static let maximumCount = 500_000

    /// Returns the same rule with only its first `count` dates. They count from the start set by
    /// ``bounded(from:through:)``, else from the year 1. The last date is looked up once, here, so that
    /// ``next(after:)`` stays O(1).
    ///
    /// A count that is larger than the number of seconds to the year 9999 limits nothing.
    /// - Throws: ``RecurrenceError/Code/limitExceeded`` if both `count` and the rule's number of dates are larger than
    ///   ``maximumCount``; ``RecurrenceError/Code/invalidComponent`` if `count` is negative. Both are permanent.
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
