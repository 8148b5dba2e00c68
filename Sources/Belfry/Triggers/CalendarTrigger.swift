import BelfryRecurrence
import FoundationEssentials

/// Fires when the local date and time equal the given components: once, or every time.
///
/// `hour 8` is daily at 8:00:00, `minute 30` hourly, `month 5, day 10, hour 8` every tenth of May, `weekday 3, hour 19`
/// every Tuesday (1 is Sunday); `day -1` is the last of the month. Several sets fire at the union of their dates.
///
/// ```swift
/// let birthday = CalendarTrigger(matching: DateFields(month: 5, day: 10, hour: 8), repeats: true)
/// ```
public struct CalendarTrigger: WallClockTrigger {
    public static let kind: TriggerKind = "calendar"

    /// What must match: any of these sets, each with all of its components.
    public let sets: [DateFields]
    public let repeats: Bool
    /// Floating follows the system's zone.
    public let zone: ZoneReference
    public let policies: DatePolicies
    public let weeks: WeekRules
    /// Which calendar counts the components; all but the Gregorian go through Foundation, by the same rules.
    public let calendar: CalendarSystem
    /// Nothing fires before.
    public let starting: Date?
    /// Nothing fires after.
    public let until: Date?
    /// How many firings in all; nil is without end.
    public let times: Int?
    /// Made with the trigger, shared by its copies; nil where the components make no sense, which ``validate()`` tells.
    let rule: CalendarRule?
    private var componentWarnings: [String] = []
    /// Components that were given and are left out of account (``DateFields/warnings``).
    public var warnings: [String] { componentWarnings + sets.flatMap(\.warnings) }

    public var followsSystemZone: Bool { zone == .floating }

    public init(
        matching sets: [DateFields],
        repeats: Bool,
        zone: ZoneReference = .floating,
        policies: DatePolicies = .init(),
        weeks: WeekRules = .init(),
        calendar: CalendarSystem = .gregorian,
        starting: Date? = nil,
        until: Date? = nil,
        times: Int? = nil
    ) {
        self.sets = sets
        self.repeats = repeats
        self.zone = zone
        self.policies = policies
        self.weeks = weeks
        self.calendar = calendar
        self.starting = starting
        self.until = until
        self.times = times
        // What is bounded or counted by another calendar is computed from scratch each time.
        let isPlain = calendar == .gregorian && starting == nil && until == nil
        rule = isPlain ? try? CalendarRule(matching: sets, zone: zone, policies: policies, weeks: weeks) : nil
    }

    public init(
        matching fields: DateFields,
        repeats: Bool,
        zone: ZoneReference = .floating,
        policies: DatePolicies = .init(),
        weeks: WeekRules = .init(),
        calendar: CalendarSystem = .gregorian,
        starting: Date? = nil,
        until: Date? = nil,
        times: Int? = nil
    ) {
        self.init(
            matching: [fields],
            repeats: repeats,
            zone: zone,
            policies: policies,
            weeks: weeks,
            calendar: calendar,
            starting: starting,
            until: until,
            times: times
        )
    }

    /// By Foundation's components, with their calendar, its weeks, and their time zone where they have them.
    ///
    /// What ``DateFields/init(_:)-(DateComponents)`` leaves out of account stands in ``warnings``.
    public init(
        matching components: DateComponents,
        repeats: Bool,
        policies: DatePolicies = .init(),
        starting: Date? = nil,
        until: Date? = nil,
        times: Int? = nil
    ) {
        self.init(
            matching: [DateFields(components)],
            repeats: repeats,
            zone: components.timeZone.map { .named($0.identifier) } ?? .floating,
            policies: policies,
            weeks: components.calendar.map { WeekRules($0) } ?? WeekRules(),
            calendar: components.calendar.map { CalendarSystem($0.identifier) } ?? .gregorian,
            starting: starting,
            until: until,
            times: times
        )
        componentWarnings = DateFields.warnings(for: components)
    }

    public func validate() throws(NoticeError) {
        if let starting { try NumberBounds.check(starting, "starting") }
        if let until { try NumberBounds.check(until, "until") }
        if let impossible = try pattern(in: .utc).impossibility { throw NoticeError(impossible) }
        if let times, times < 1 {
            throw NoticeError(.invalidComponent, "A calendar trigger of \(times) times: it must be 1 or more.")
        }
        if let starting, let until, until < starting {
            throw NoticeError(
                .neverFires,
                "The trigger ends (\(until.formatted(.iso8601))) before it starts (\(starting.formatted(.iso8601)))."
            )
        }
    }

    public func nextDate(after date: Date, in context: TriggerContext) -> Date? {
        if let rule { return rule.next(after: date, in: context.zone) }
        guard let pattern = try? pattern(in: context.zone) else { return nil }
        return pattern.next(after: date, from: starting, through: until)
    }

    private func pattern(in systemZone: ZoneRules) throws(NoticeError) -> any RecurrencePattern {
        do throws(RecurrenceError) {
            let rules = try zone.rules(or: systemZone)
            guard let foreign = calendar.foreign else {
                return try DatePattern(matching: sets, zone: rules, policies: policies, weeks: weeks)
            }
            return try ForeignCalendarPattern(
                matching: sets,
                calendar: foreign,
                zone: rules,
                policies: policies,
                weeks: weeks
            )
        } catch { throw NoticeError(error) }
    }
}

extension ZoneReference {
    /// The zone's rules; those of the system where it floats.
    package func rules(or system: ZoneRules) throws(RecurrenceError) -> ZoneRules {
        switch self {
        case .floating: system
        case .named(let name): try ZoneRules.named(name)
        }
    }
}

extension RecurrencePattern {
    /// The first date after `date` that lies between two instants, both included.
    func next(after date: Date, from start: Date?, through end: Date?) -> Date? {
        // Asked from just before the start, so that the start itself may fire.
        let floor = start.map { max(date, $0.addingTimeInterval(-1)) } ?? date
        var found = next(after: floor)
        while let early = found, let start, early < start { found = next(after: early) }
        guard let found, end.map({ found <= $0 }) ?? true else { return nil }
        return found
    }
}

extension NoticeError {
    /// The date engine's error in the core's terms.
    package init(_ error: RecurrenceError) {
        switch error.code {
        case .invalidComponent: self.init(.invalidComponent, error.message)
        case .impossibleDate: self.init(.neverFires, error.message)
        case .unknownZone: self.init(.unknownZone, error.message)
        case .calendarUnavailable: self.init(.unsupported, error.message)
        default: self.init(.invalidNotation, error.message)
        }
    }
}
