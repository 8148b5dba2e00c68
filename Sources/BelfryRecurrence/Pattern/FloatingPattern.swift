public import FoundationEssentials

/// A compiled rule for dates without a zone, for triggers that follow the system's zone or exist by the million.
///
/// It finds the same dates as a ``DatePattern``, in any zone and without a copy for each. It takes three quarters of
/// the memory, because it has no zone, no bounds and no reason for an impossible rule.
///
/// ```swift
/// let morning = try FloatingPattern(matching: [DateFields(hour: 7)])
/// let here = morning.next(after: Date(), in: .system())
/// let inTokyo = morning.next(after: Date(), in: try .named("Asia/Tokyo"))
/// ```
public struct FloatingPattern: Sendable, Hashable {
    /// The first clause is stored separately, so that a single clause, the usual case, needs no array.
    private let clause: Clause
    package let policies: DatePolicies
    private let others: ContiguousArray<Clause>

    /// Whether all sets of components name an hour, or only dates: otherwise the policies for times don't apply.
    package var hourIsGiven: Bool { clause.hourIsGiven && others.allSatisfy(\.hourIsGiven) }

    /// Compiles the union of some sets of components.
    /// - Throws: The errors of ``DatePattern/init(matching:zone:policies:weeks:)``, all permanent.
    public init(
        matching sets: [DateFields],
        policies: DatePolicies = .init(),
        weeks: WeekRules = .init()
    ) throws(RecurrenceError) {
        self = try DatePattern(matching: sets, zone: .utc, policies: policies, weeks: weeks).rule
    }

    /// - Parameter clauses: clauses with non-empty sets of days.
    init(clauses: [Clause], policies: DatePolicies) {
        let merged = Clause.merged(clauses)
        clause = merged.first ?? .never
        others = ContiguousArray(merged.dropFirst())
        self.policies = policies
    }

    /// Returns the first instant strictly after `instant` at which the rule fires in a zone; `nil` if there is none.
    /// Both are in seconds since 1970.
    public func next(after instant: Int64, in zone: ZoneRules) -> Int64? {
        let found = next(after: Int(instant), in: zone.table, from: Self.firstInstant, through: Self.lastInstant)
        return found == Clause.none ? nil : Int64(truncatingIfNeeded: found)
    }

    /// Returns the first date strictly after `date`, ignoring its fraction of a second, or `nil` if there is none.
    public func next(after date: Date, in zone: ZoneRules) -> Date? {
        next(after: date.wholeSecondsSince1970, in: zone).map { Date(timeIntervalSince1970: Double($0)) }
    }

    static let firstInstant = Gregorian.seconds(ofDay: Gregorian.firstDay) - 2 * Gregorian.secondsPerDay
    package static let lastInstant = Gregorian.seconds(ofDay: Gregorian.lastDay) + 3 * Gregorian.secondsPerDay

    /// Returns the first instant strictly after `instant` and between two bounds, inclusive; ``Clause/none`` if there
    /// is none.
    @inline(__always)
    func next(after instant: Int, in table: ZoneTable, from earliest: Int, through latest: Int) -> Int {
        let from = max(instant, earliest &- 1)
        if from >= latest { return Clause.none }
        let missing = policies.missingTime
        let repeated = policies.repeatedTime
        var best = clause.next(after: from, in: table, missing: missing, repeated: repeated)
        for other in others {
            best = min(best, other.next(after: from, in: table, missing: missing, repeated: repeated))
        }
        return best > latest ? Clause.none : best
    }
}
