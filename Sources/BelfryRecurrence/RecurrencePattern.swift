public import FoundationEssentials

/// A compiled rule that tells, for any instant, its next date.
public protocol RecurrencePattern: Sendable {
    /// The first instant strictly after `instant`, in seconds since 1970, or `nil` when there is no further one.
    func next(after instant: Int64) -> Int64?

    /// Why the rule can never fire, in a sentence that names what makes it impossible; `nil` when it can.
    var impossibility: RecurrenceError? { get }
}

extension RecurrencePattern {
    /// The first date strictly after `date`, whatever its fraction of a second, or `nil` when there is no further one.
    public func next(after date: Date) -> Date? {
        next(after: date.wholeSecondsSince1970).map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// The dates after an instant in ascending order, each computed when it is asked for.
    public func dates(after instant: Int64) -> PatternDates<Self> {
        PatternDates(pattern: self, last: instant)
    }
}

/// The dates of a rule, as instants in seconds since 1970.
public struct PatternDates<Pattern: RecurrencePattern>: Sequence, IteratorProtocol, Sendable {
    let pattern: Pattern
    var last: Int64

    public mutating func next() -> Int64? {
        guard let next = pattern.next(after: last) else { return nil }
        last = next
        return next
    }
}

extension Date {
    /// Rounded down: whole seconds that are after this are after the date. Dates beyond the engine's are held at its
    /// ends.
    var wholeSecondsSince1970: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        if seconds.isNaN { return .max }
        return Int64(min(max(seconds, -1e15), 1e15))
    }
}
