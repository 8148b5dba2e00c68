public import FoundationEssentials

/// A compiled rule that returns the next date after any instant.
///
/// ```swift
/// let pattern: any RecurrencePattern = try CronExpression(parsing: "0 9 31 2 *").compiled(zone: .system())
/// if let impossibility = pattern.impossibility { print(impossibility) }   // it has no date
/// ```
public protocol RecurrencePattern: Sendable {
    /// Returns the first instant strictly after `instant`, in seconds since 1970, or `nil` if there is no further one.
    func next(after instant: Int64) -> Int64?

    /// The reason why the rule can never fire, in a sentence that names the cause; `nil` if it can fire.
    var impossibility: RecurrenceError? { get }
}

extension RecurrencePattern {
    /// Returns the first date strictly after `date`, ignoring its fraction of a second, or `nil` if there is none.
    public func next(after date: Date) -> Date? {
        next(after: date.wholeSecondsSince1970).map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// Returns the dates after an instant in ascending order, each computed on demand.
    public func dates(after instant: Int64) -> PatternDates<Self> {
        PatternDates(pattern: self, last: instant)
    }
}

/// The dates of a rule, as instants in seconds since 1970.
///
/// ```swift
/// let noon = try DatePattern(matching: [DateFields(hour: 12)], zone: .utc)
/// for instant in noon.dates(after: 0).prefix(3) { print(instant) }   // 43200, 129600, 216000
/// ```
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
    /// The date in whole seconds, rounded down: a later whole second is also later than the date. Dates beyond the
    /// engine's range are clamped.
    var wholeSecondsSince1970: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        if seconds.isNaN { return .max }
        return Int64(min(max(seconds, -1e15), 1e15))
    }
}
