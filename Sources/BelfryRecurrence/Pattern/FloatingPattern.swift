import Foundation

/// A compiled rule for dates that belongs to no zone: what a trigger keeps that follows the system's zone, or that is one of
/// a million.
///
/// It answers what a ``DatePattern`` answers, in any zone and without being copied for it, and is little more than half its
/// size: the components that it was compiled from are forgotten.
public struct FloatingPattern: Sendable, Hashable {
    private let clause: Clause
    private let policies: DatePolicies
    private let others: ContiguousArray<Clause>

    /// Compiles the union of some sets of components.
    /// - Throws: what ``DatePattern/init(matching:zone:policies:weeks:)`` throws.
    public init(
        matching sets: [DateFields],
        policies: DatePolicies = .init(),
        weeks: WeekRules = .init()
    ) throws(RecurrenceError) {
        let pattern = try DatePattern(matching: sets, zone: .utc, policies: policies, weeks: weeks)
        clause = pattern.clause
        others = pattern.others
        self.policies = policies
    }

    /// The first instant strictly after `instant` at which the rule fires in a zone, both in seconds since 1970, or `nil`
    /// when there is no further one.
    public func next(after instant: Int64, in zone: ZoneRules) -> Int64? {
        if instant >= DatePattern.lastInstant { return nil }
        let from = max(Int(instant), DatePattern.firstInstant &- 1)
        let missing = policies.missingTime
        let repeated = policies.repeatedTime
        var best = clause.next(after: from, in: zone.table, missing: missing, repeated: repeated)
        for other in others {
            best = min(best, other.next(after: from, in: zone.table, missing: missing, repeated: repeated))
        }
        return best > DatePattern.lastInstant ? nil : Int64(best)
    }

    /// The first date strictly after `date`, whatever its fraction of a second, or `nil` when there is no further one.
    public func next(after date: Date, in zone: ZoneRules) -> Date? {
        next(after: date.wholeSecondsSince1970, in: zone).map { Date(timeIntervalSince1970: Double($0)) }
    }
}
