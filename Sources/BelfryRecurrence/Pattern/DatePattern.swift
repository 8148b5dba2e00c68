/// A compiled rule for dates: it fires at every instant whose local date and time, in its zone, equal one of its sets
/// of components, by the three policies where a date or time is missing or occurs twice.
///
/// Dates are those of the proleptic Gregorian calendar in the years 1 to 9999; outside of them nothing fires. Finding
/// the next one takes a few dozen nanoseconds and no memory.
public struct DatePattern: RecurrencePattern, Hashable {
    /// No more sets of components than these are taken.
    public static let maximumSetCount = 4_000

    /// The zone of the components.
    public private(set) var zone: ZoneRules
    let rule: FloatingPattern
    /// What is wrong with the components, where they have no date at all.
    private(set) var defect: Defect?
    /// Inclusive, in seconds since 1970.
    private(set) var earliest: Int
    private(set) var latest: Int

    /// Compiles the union of some sets of components; week fields beside year, month and day are ignored.
    /// - Throws: ``RecurrenceError/Code/invalidComponent`` for a value out of range, with the name of the component,
    ///   its value and the range, and ``RecurrenceError/Code/limitExceeded`` for more than ``maximumSetCount`` sets. A
    ///   rule that is in range and can never fire is no error here: see ``impossibility``.
    public init(
        matching sets: [DateFields],
        zone: ZoneRules,
        policies: DatePolicies = .init(),
        weeks: WeekRules = .init()
    ) throws(RecurrenceError) {
        try weeks.validate()
        guard !sets.isEmpty else {
            throw RecurrenceError(code: .invalidComponent, message: "No set of date components is given.")
        }
        guard sets.count <= Self.maximumSetCount else {
            throw RecurrenceError(
                code: .limitExceeded,
                message: "\(sets.count) sets of date components are more than \(Self.maximumSetCount)."
            )
        }
        var clauses: [Clause] = []
        clauses.reserveCapacity(sets.count)
        for fields in sets {
            let reduced = fields.withoutRedundantWeeks
            try reduced.validate()
            let clause = Clause(reduced, policies: policies, weeks: weeks)
            if !clause.days.isEmpty { clauses.append(clause) }
        }
        var pattern = DatePattern(clauses: clauses, zone: zone, policies: policies)
        // Only what is bound to some years can have days and yet no date, so nothing else is searched here.
        let mayBeSkipped = sets.allSatisfy { $0.year != nil || $0.yearForWeekOfYear != nil }
        if clauses.isEmpty || mayBeSkipped && pattern.next(after: .min) == nil {
            pattern.defect = Defect(of: sets, zone: zone, policies: policies, weeks: weeks)
        }
        self = pattern
    }

    /// - Parameter clauses: none of them has an empty set of days.
    init(
        clauses: [Clause],
        zone: ZoneRules,
        policies: DatePolicies
    ) {
        rule = FloatingPattern(clauses: clauses, policies: policies)
        self.zone = zone
        defect = nil
        earliest = FloatingPattern.firstInstant
        latest = FloatingPattern.lastInstant
    }

    /// What becomes of dates and times that are missing or repeated.
    public var policies: DatePolicies { rule.policies }

    /// The first instant strictly after `instant`, in seconds since 1970, or `nil` when there is no further one.
    ///
    /// Takes any value, and ends whatever the rule is. O(1) in the distance of the date; linear in the sets of
    /// components that don't merge into one.
    public func next(after instant: Int64) -> Int64? {
        next(after: instant, in: zone)
    }

    /// The same as if the rule were compiled for another zone: to plan many floating rules anew without copying them.
    public func next(after instant: Int64, in zone: ZoneRules) -> Int64? {
        let found = rule.next(after: Int(instant), in: zone.table, from: earliest, through: latest)
        return found == Clause.none ? nil : Int64(truncatingIfNeeded: found)
    }

    /// The same rule between two instants, both included. `nil` leaves a side as it is.
    public func bounded(from start: Int64? = nil, through end: Int64? = nil) -> DatePattern {
        var pattern = self
        if let start { pattern.earliest = max(earliest, Int(start)) }
        if let end { pattern.latest = min(latest, Int(end)) }
        return pattern
    }

    /// The same rule in another zone, as a floating trigger needs it when the system's zone changes. Copies a few
    /// words.
    public func inZone(_ zone: ZoneRules) -> DatePattern {
        var pattern = self
        pattern.zone = zone
        return pattern
    }
}
