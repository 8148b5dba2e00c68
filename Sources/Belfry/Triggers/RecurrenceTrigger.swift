import BelfryRecurrence
import Foundation

/// Fires by a rule in one of the notations of the trade: iCalendar's RRULE, cron, or systemd's OnCalendar.
///
/// ```swift
/// let standUp = try RecurrenceTrigger(.onCalendar("Mon..Fri 09:25"), zone: .named("Europe/Berlin"), times: 200)
/// ```
public struct RecurrenceTrigger: WallClockTrigger {
    public static let kind: TriggerKind = "recurrence"

    public enum Rule: Sendable, Codable, Hashable {
        /// RFC 5545: a rule (`FREQ=WEEKLY;BYDAY=MO`), or lines of DTSTART, RRULE, EXDATE and RDATE.
        case rrule(String)
        /// Five fields, or six with seconds first; `@daily` and kin.
        case cron(String)
        /// systemd.time(7).
        case onCalendar(String)
    }

    public let rule: Rule
    /// For a rule that names none itself; floating follows the system's zone.
    public let zone: ZoneReference
    /// Nothing fires before; also DTSTART of an RRULE that has none.
    public let starting: Date?
    /// Nothing fires after.
    public let until: Date?
    public let times: Int?
    /// How far from the rule's dates it fires; nil is at them.
    public let offset: RecurrenceOffset?

    public var repeats: Bool { true }
    public var followsSystemZone: Bool { zone == .floating && !namesZone }

    /// Throws ``NoticeError/Code/invalidNotation`` with the column where the rule can't be read, and
    /// ``NoticeError/Code/invalidComponent`` where it starts or ends outside of the years 1 to 9999; permanent.
    public init(
        _ rule: Rule,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        times: Int? = nil,
        offset: RecurrenceOffset? = nil
    ) throws(NoticeError) {
        self.rule = rule
        self.zone = zone
        self.starting = starting
        self.until = until
        self.times = times
        self.offset = offset
        if let starting { try NumberBounds.check(starting, "starting") }
        if let until { try NumberBounds.check(until, "until") }
        _ = try pattern(in: .utc)
    }

    public func validate() throws(NoticeError) {
        if let impossible = try pattern(in: .utc).impossibility { throw NoticeError(impossible) }
        if let times, times < 1 {
            throw NoticeError(.invalidComponent, "A recurrence of \(times) times: it must be 1 or more.")
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

    /// Whether the rule's text has a zone of its own.
    private var namesZone: Bool {
        switch rule {
        case .rrule(let text): (try? RRule(parsing: text))?.start.map { $0.clock != .local } ?? false
        case .cron: false
        case .onCalendar(let text): (try? CalendarExpression(parsing: text))?.zone != nil
        }
    }

    private func pattern(in systemZone: ZoneRules) throws(NoticeError) -> any RecurrencePattern {
        do throws(RecurrenceError) {
            let rules = try zone.rules(or: systemZone)
            switch rule {
            case .rrule(let text):
                let start = starting.map { Int64($0.timeIntervalSince1970.rounded(.up)) }
                return try RRule(parsing: text).compiled(start: start, zone: rules)
            case .cron(let text): return try CronExpression(parsing: text).compiled(zone: rules)
            case .onCalendar(let text): return try CalendarExpression(parsing: text).compiled(zone: rules)
            }
        } catch { throw NoticeError(error) }
    }
}
