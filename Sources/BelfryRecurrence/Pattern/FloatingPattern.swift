public import FoundationEssentials

/// A compiled rule for dates that belongs to no zone: what a trigger keeps that follows the system's zone, or that is
/// one of a million.
///
/// It answers what a ``DatePattern`` answers, in any zone and without being copied for it, and is little more than half
/// its size: the components that it was compiled from are forgotten.
public struct FloatingPattern: Sendable, Hashable {
    /// The first of the clauses stands by itself, so that the usual single one needs no array.
    private let clause: Clause
    let policies: DatePolicies
    private let others: ContiguousArray<Clause>

    /// Compiles the union of some sets of components.
    /// - Throws: what ``DatePattern/init(matching:zone:policies:weeks:)`` throws.
    public init(
        matching sets: [DateFields],
        policies: DatePolicies = .init(),
        weeks: WeekRules = .init()
    ) throws(RecurrenceError) {
        self = try DatePattern(matching: sets, zone: .utc, policies: policies, weeks: weeks).rule
    }

    /// - Parameter clauses: none of them has an empty set of days.
    init(clauses: [Clause], policies: DatePolicies) {
        let merged = Clause.merged(clauses)
        clause = merged.first ?? .never
        others = ContiguousArray(merged.dropFirst())
        self.policies = policies
    }

    /// The first instant strictly after `instant` at which the rule fires in a zone, both in seconds since 1970, or
    /// `nil` when there is no further one.
    public func next(after instant: Int64, in zone: ZoneRules) -> Int64? {
        let found = next(after: Int(instant), in: zone.table, from: Self.firstInstant, through: Self.lastInstant)
        return found == Clause.none ? nil : Int64(truncatingIfNeeded: found)
    }

    /// The first date strictly after `date`, whatever its fraction of a second, or `nil` when there is no further one.
    public func next(after date: Date, in zone: ZoneRules) -> Date? {
        next(after: date.wholeSecondsSince1970, in: zone).map { Date(timeIntervalSince1970: Double($0)) }
    }

    static let firstInstant = Gregorian.seconds(ofDay: Gregorian.firstDay) - 2 * Gregorian.secondsPerDay
    static let lastInstant = Gregorian.seconds(ofDay: Gregorian.lastDay) + 3 * Gregorian.secondsPerDay

    /// The first instant strictly after `instant` and between two others, both included; ``Clause/none`` where there is
    /// none.
    @inline(__always)
    func next(after instant: Int, in table: ZoneTable, from earliest: Int, through latest: Int) -> Int {
        if instant >= latest { return Clause.none }
        let from = max(instant, earliest &- 1)
        let missing = policies.missingTime
        let repeated = policies.repeatedTime
        var best = clause.next(after: from, in: table, missing: missing, repeated: repeated)
        for other in others {
            best = min(best, other.next(after: from, in: table, missing: missing, repeated: repeated))
        }
        return best > latest ? Clause.none : best
    }
}
