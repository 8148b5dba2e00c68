public import BelfryRecurrence
public import FoundationEssentials

/// Fires by a rule in one of the notations of the trade: iCalendar's RRULE, cron, or systemd's OnCalendar.
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
        /// Five fields, or six with seconds first; `@daily` and kin.
        case cron(String)
        /// systemd.time(7).
        case onCalendar(String)
    }

    /// The rule as it was written.
    public let rule: Rule
    /// For a rule that names none itself; floating follows the system's zone.
    public let zone: ZoneReference
    /// Nothing fires before; also DTSTART of an RRULE that has none.
    public let starting: Date?
    /// Nothing fires after.
    public let until: Date?
    public let count: Int?
    /// How far from the rule's dates it fires; nil is at them.
    public let offset: Offset?
    /// Made with the trigger, shared by its copies.
    let dates: CompiledRecurrence

    public var repeats: Bool { true }
    public var followsSystemZone: Bool { zone == .floating && !dates.namesZone }

    /// Throws ``NoticeError/Code/invalidNotation`` with the column where the rule can't be read, and
    /// ``NoticeError/Code/invalidComponent`` where it starts or ends outside of the years 1 to 9999; permanent.
    ///
    /// - Parameters:
    ///   - rule: An RRULE, a cron expression or an OnCalendar expression.
    ///   - zone: The time zone of a rule that names none; a floating one follows the system's.
    ///   - starting: an instant. An RRULE without DTSTART that floats has the time of day of this instant in each zone;
    ///     for the same time of day in all of them, give the rule a DTSTART without a zone.
    ///   - until: The last instant of a firing, inclusive.
    ///   - count: How many firings in all; nil is without end.
    ///   - offset: A shift of each firing against the rule.
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

    private static func dates(of rule: Rule, zone: ZoneReference, starting: Date?) -> CompiledRecurrence {
        let start = starting.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded(.up)) }
        return CompiledRecurrence(rule, zone: zone, start: start)
    }

    public func validate() throws(NoticeError) {
        if let impossible = try pattern(in: .utc).impossibility { throw NoticeError(impossible) }
        if let count, count < 1 {
            throw NoticeError(.invalidComponent, "A recurrence of \(count) times: it must be 1 or more.")
        }
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
        guard let rules = try? zone.rules(or: context.zone) else { return nil }
        var occurrence = offset.earliestOccurrence(for: date, in: rules)
        while let next = pattern.next(after: occurrence, from: starting, through: until), next > occurrence {
            if let firing = offset.applied(to: next, in: rules), firing > date { return firing }
            occurrence = next
        }
        return nil
    }

    /// Does now what the first question in a zone would have to do.
    func compile(in systemZone: ZoneRules) { _ = try? pattern(in: systemZone) }

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

    /// A rule that can't be read any more is kept as it is, and has no date.
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
    /// The same with a start that was read from a clock: an RRULE that floats, and has no DTSTART, gets what the clocks
    /// of that zone show at the start, so that it has its time of day in every other zone too.
    package init(
        _ rule: Rule,
        zone: ZoneReference,
        startingByClock start: Date?,
        of clock: ZoneRules,
        until: Date? = nil,
        count: Int? = nil
    ) throws(NoticeError) {
        guard case .rrule(let text) = rule, zone == .floating, let start,
            let local = try Self.text(text, startingAt: start, in: clock)
        else {
            try self.init(rule, zone: zone, starting: start, until: until, count: count)
            return
        }
        // Without the instant: it would stand in the way where the machine moves east.
        try self.init(.rrule(local), zone: zone, until: until, count: count)
    }

    /// The rule with a local DTSTART; nil where it has one, or the start is outside of the calendar.
    private static func text(_ rule: String, startingAt date: Date, in zone: ZoneRules) throws(NoticeError) -> String? {
        do throws(RecurrenceError) {
            var rule = try RRule(parsing: rule)
            let seconds = date.timeIntervalSince1970.rounded(.up)
            guard rule.start == nil, startRange.contains(seconds) else { return nil }
            let instant = Int64(seconds)
            rule.start = RRule.DateValue(floating: instant + Int64(zone.offset(at: instant)))
            return rule.description
        } catch { throw NoticeError(error) }
    }
}
