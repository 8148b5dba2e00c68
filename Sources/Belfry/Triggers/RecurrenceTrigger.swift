public import BelfryRecurrence
public import FoundationEssentials

/// Fires by a rule in a standard notation: iCalendar's RRULE, cron, or systemd's OnCalendar.
///
/// ```swift
/// let standUp = try RecurrenceTrigger(.onCalendar("Mon..Fri 09:25"), zone: .named("Europe/Berlin"), count: 200)
/// ```
public struct RecurrenceTrigger: WallClockTrigger {
    public static let kind: TriggerKind = "recurrence"

    /// The notations of a rule.
    public enum Rule: Sendable, Codable, Hashable {
        /// RFC 5545: a rule (`FREQ=WEEKLY;BYDAY=MO`), or lines of DTSTART, RRULE, EXDATE and RDATE.
        case rrule(String)
        /// A cron expression: five fields, or six with seconds first, or a macro such as `@daily`.
        case cron(String)
        /// A calendar event expression of systemd.time(7).
        case onCalendar(String)
    }

    /// The rule as it was written.
    public let rule: Rule
    /// The time zone of a rule that names none; a floating one follows the system's.
    public let zone: ZoneReference
    /// The first instant that a date of the rule may have; also the DTSTART of an RRULE that has none. An ``offset``
    /// moves firings beyond it.
    public let starting: Date?
    /// The last instant that a date of the rule may have. An ``offset`` moves firings beyond it.
    public let until: Date?
    public let count: Int?
    /// The time from the rule's dates to the firings; nil fires at the dates.
    public let offset: Offset?
    /// The compiled rule, shared by copies of the trigger.
    let dates: CompiledRecurrence

    public var repeats: Bool { true }
    public var followsSystemZone: Bool { zone == .floating && !dates.namesZone }

    /// Creates a trigger from a rule, which it parses.
    ///
    /// - Parameters:
    ///   - rule: An RRULE, a cron expression or an OnCalendar expression.
    ///   - zone: The time zone of a rule that names none; a floating one follows the system's.
    ///   - starting: The first instant of a date. A floating RRULE without DTSTART fires at the time of day that this
    ///     instant has in each zone. For the same time of day in all zones, give the rule a DTSTART without a zone.
    ///   - until: The last instant of a date, inclusive.
    ///   - count: How many firings in all; nil is without end.
    ///   - offset: The time from each date of the rule to its firing.
    /// - Throws: ``NoticeError/Code/invalidNotation`` with the column if the rule can't be parsed.
    ///   ``NoticeError/Code/unknownZone`` for its zone, and ``NoticeError/Code/invalidComponent`` if it starts or ends
    ///   outside the years 1 to 9999. All are permanent.
    public init(
        _ rule: Rule,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        count: Int? = nil,
        offset: Offset? = nil
    ) throws(NoticeError) {
        self.rule = rule
        self.zone = zone
        self.starting = starting
        self.until = until
        self.count = count
        self.offset = offset
        dates = Self.dates(of: rule, zone: zone, starting: starting)
        if let starting { try NumberBounds.check(starting, "starting") }
        if let until { try NumberBounds.check(until, "until") }
        _ = try pattern(in: .utc)
    }

    /// Creates a trigger with another offset. It shares the compiled rule.
    package init(sharingRuleOf other: RecurrenceTrigger, offset: Offset) {
        rule = other.rule
        zone = other.zone
        starting = other.starting
        until = other.until
        count = other.count
        self.offset = offset
        dates = other.dates
    }

    private static func dates(of rule: Rule, zone: ZoneReference, starting: Date?) -> CompiledRecurrence {
        let start = starting.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded(.up)) }
        return CompiledRecurrence(rule, zone: zone, start: start)
    }

    /// Checks the rule, the count and the bounds.
    ///
    /// - Throws: ``NoticeError/Code/neverFires`` if no date matches, or if it ends before it starts.
    ///   ``NoticeError/Code/invalidComponent`` for a count below 1, ``NoticeError/Code/unknownZone`` for the zone, and
    ///   ``NoticeError/Code/invalidNotation`` for a rule that can't be parsed. All are permanent.
    public func validate() throws(NoticeError) {
        if let impossible = try pattern(in: .utc).impossibility { throw NoticeError(impossible) }
        if let count { try NumberBounds.check(firings: count, "A recurrence", .invalidComponent) }
        if let starting, let until, until < starting {
            throw NoticeError(
                .neverFires,
                "The recurrence ends (\(until.formatted(.iso8601))) before it starts (\(starting.formatted(.iso8601)))."
            )
        }
    }

    public func nextDate(after date: Date, in context: TriggerContext) -> Date? {
        guard let pattern = try? pattern(in: context.zone) else { return nil }
        guard let offset else { return pattern.next(after: date, from: starting, through: until) }
        guard let rules = try? zone(in: context.zone) else { return nil }
        var occurrence = offset.occurrences(for: date, in: rules).first
        // Across a clock change, firings are not in the order of their occurrences.
        var found: (firing: Date, last: Date)?
        while found.map({ occurrence < $0.last }) ?? true,
            let next = pattern.next(after: occurrence, from: starting, through: until), next > occurrence
        {
            occurrence = next
            guard let firing = offset.applied(to: next, in: rules), firing > date else { continue }
            if let found, found.firing <= firing { continue }
            found = (firing, offset.occurrences(for: firing, in: rules).last)
        }
        return found?.firing
    }

    /// Returns the zone of the dates: the one that the rule names, or else the trigger's.
    package func zone(in systemZone: ZoneRules) throws(RecurrenceError) -> ZoneRules {
        try dates.zone(in: systemZone)
    }

    private func pattern(in systemZone: ZoneRules) throws(NoticeError) -> any RecurrencePattern {
        do throws(RecurrenceError) { return try dates.pattern(in: systemZone) } catch { throw NoticeError(error) }
    }
}

extension RecurrenceTrigger {
    private enum CodingKeys: String, CodingKey {
        case rule, zone, starting, until
        case count = "times"
        case offset
    }

    /// A rule that can't be parsed any more is kept unchanged, and has no dates.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        rule = try values.decode(Rule.self, forKey: .rule)
        zone = try values.decode(ZoneReference.self, forKey: .zone)
        starting = try values.decodeIfPresent(Date.self, forKey: .starting)
        until = try values.decodeIfPresent(Date.self, forKey: .until)
        count = try values.decodeIfPresent(Int.self, forKey: .count)
        offset = try values.decodeIfPresent(Offset.self, forKey: .offset)
        dates = Self.dates(of: rule, zone: zone, starting: starting)
    }
}

extension RecurrenceTrigger {
    /// Creates a trigger whose start was read from a clock. A floating RRULE without DTSTART gets the local time of
    /// that zone at the start, so that it has that time of day in every other zone, too.
    ///
    /// - Parameter local: The local time that was typed; nil if an instant was. It becomes the DTSTART of an RRULE that
    ///   has none, as a clock change that skips it moves that date alone.
    package init(
        _ rule: Rule,
        zone: ZoneReference,
        startingByClock start: Date?,
        typedAs local: LocalDate?,
        of clock: ZoneRules,
        until: Date? = nil,
        count: Int? = nil
    ) throws(NoticeError) {
        let floats = zone == .floating
        guard case .rrule(let text) = rule, floats || local != nil, let start,
            let dated = try Self.text(text, startingAt: start, typedAs: local, in: clock, evenOfDates: floats)
        else {
            try self.init(rule, zone: zone, starting: start, until: until, count: count)
            return
        }
        // As a bound, the start would suppress a firing after the machine has moved east.
        try self.init(.rrule(dated), zone: zone, starting: floats ? nil : start, until: until, count: count)
    }

    /// Returns the rule with a local DTSTART; nil if it has one, or if the start is out of range.
    ///
    /// - Parameter isOfDates: also if it has only RDATE, to which the start is then added.
    private static func text(
        _ rule: String,
        startingAt date: Date,
        typedAs local: LocalDate?,
        in zone: ZoneRules,
        evenOfDates isOfDates: Bool
    ) throws(NoticeError) -> String? {
        do throws(RecurrenceError) {
            var rule = try RRule(parsing: rule)
            let seconds = date.timeIntervalSince1970
            let instant = seconds.rounded(.up)
            guard rule.start == nil, isOfDates || !rule.rules.isEmpty, startRange.contains(instant) else { return nil }
            let typed = local.map { $0.secondsAtUTC + Int64(instant - seconds.rounded(.down)) }
            let start = typed ?? Int64(instant) + Int64(zone.offset(at: Int64(instant)))
            rule.start = RRule.DateValue(floating: start)
            return rule.description
        } catch { throw NoticeError(error) }
    }
}
