/// A compiled rule for dates. It fires at every instant whose local date and time in its zone equal one of its sets of
/// components. Three policies decide about dates and times that are missing or occur twice.
///
/// Dates are those of the proleptic Gregorian calendar in the years 1 to 9999; outside of them nothing fires. Finding
/// the next date takes a few dozen nanoseconds and no memory.
///
/// ```swift
/// let teatime = try DatePattern(matching: [DateFields(hour: 16)], zone: .named("Europe/London"))
/// if let date = teatime.next(after: Date()) { print(date) }
/// ```
public struct DatePattern: RecurrencePattern, Hashable {
    /// The maximum number of sets of components.
    public static let maximumSetCount = 4_000

    /// The zone of the components.
    public private(set) var zone: ZoneRules
    let rule: FloatingPattern
    /// The reason why the components have no date at all; nil if they have one.
    private(set) var defect: String?
    /// The first and last instants, inclusive, in seconds since 1970.
    private(set) var earliest: Int
    private(set) var latest: Int

    /// Compiles the union of some sets of components; week fields beside year, month and day are ignored.
    /// - Throws: ``RecurrenceError/Code/invalidComponent`` for a value out of range, with the name of the component,
    ///   its value and the range; ``RecurrenceError/Code/limitExceeded`` for more than ``maximumSetCount`` sets. Both
    ///   are permanent. A valid rule that can never fire is no error here: see ``impossibility``.
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
        // Only rules limited to some years can have days but no dates, so only these are searched here.
        let mayBeSkipped = sets.allSatisfy { $0.year != nil || $0.yearForWeekOfYear != nil }
        if clauses.isEmpty || mayBeSkipped && pattern.next(after: .min) == nil {
            pattern.defect = Self.defect(of: sets, zone: zone, policies: policies, weeks: weeks)
        }
        self = pattern
    }

    /// - Parameter clauses: clauses with non-empty sets of days.
    init(
        clauses: [Clause],
        zone: ZoneRules,
        policies: DatePolicies,
        defect: String? = nil
    ) {
        rule = FloatingPattern(clauses: clauses, policies: policies)
        self.zone = zone
        self.defect = defect
        earliest = FloatingPattern.firstInstant
        latest = FloatingPattern.lastInstant
    }

    /// The policies for dates and times that are missing or repeated.
    public var policies: DatePolicies { rule.policies }

    /// Returns the first instant strictly after `instant`, in seconds since 1970, or `nil` if there is no further one.
    ///
    /// Accepts any value, and terminates for every rule. O(1) in the distance of the date; linear in the number of sets
    /// of components that can't be merged.
    public func next(after instant: Int64) -> Int64? {
        next(after: instant, in: zone)
    }

    /// Returns the same as if compiled for another zone, to plan many floating rules again without a copy.
    public func next(after instant: Int64, in zone: ZoneRules) -> Int64? {
        let found = rule.next(after: Int(instant), in: zone.table, from: earliest, through: latest)
        return found == Clause.none ? nil : Int64(truncatingIfNeeded: found)
    }

    /// Returns the same rule between two instants, inclusive. `nil` leaves that bound unchanged.
    public func bounded(from start: Int64? = nil, through end: Int64? = nil) -> DatePattern {
        var pattern = self
        if let start { pattern.earliest = max(earliest, Int(start)) }
        if let end { pattern.latest = min(latest, Int(end)) }
        return pattern
    }

    /// Returns the same rule in another zone. A floating trigger needs it when the system's zone changes. Copies a few
    /// words.
    public func inZone(_ zone: ZoneRules) -> DatePattern {
        var pattern = self
        pattern.zone = zone
        return pattern
    }
}
