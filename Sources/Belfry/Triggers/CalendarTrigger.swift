public import BelfryRecurrence
public import FoundationEssentials

/// Fires when the local date and time equal the given components: once, or every time.
///
/// `hour 8` is daily at 8:00:00, `minute 30` hourly, `month 5, day 10, hour 8` every tenth of May, `weekday 3, hour 19`
/// every Tuesday (1 is Sunday); `day -1` is the last of the month.
///
/// ```swift
/// let birthday = CalendarTrigger(matching: DateComponents(month: 5, day: 10, hour: 8), repeats: true)
/// ```
public struct CalendarTrigger: WallClockTrigger {
    public static let kind: TriggerKind = "calendar"

    /// What a calendar trigger may be told beside its components; the defaults are what most apps want.
    public struct Options: Sendable, Hashable {
        /// The zone of the components. Floating follows the system's zone.
        public var zone: ZoneReference
        /// What becomes of dates and times that a month or a clock change leaves out, or has twice.
        public var policies: DatePolicies
        /// How weeks are counted.
        public var weeks: WeekRules
        /// Which calendar counts the components. All but the Gregorian need the product `BelfryCalendars`.
        public var calendar: CalendarSystem
        /// Nothing fires before.
        public var starting: Date?
        /// Nothing fires after.
        public var until: Date?
        /// How many firings in all, 1 or more; nil is without end.
        public var count: Int?

        /// Creates options; each default is what most apps want.
        public init(
            zone: ZoneReference = .floating,
            policies: DatePolicies = .init(),
            weeks: WeekRules = .init(),
            calendar: CalendarSystem = .gregorian,
            starting: Date? = nil,
            until: Date? = nil,
            count: Int? = nil
        ) {
            self.zone = zone
            self.policies = policies
            self.weeks = weeks
            self.calendar = calendar
            self.starting = starting
            self.until = until
            self.count = count
        }
    }

    /// What must match: any of these sets, each with all of its components.
    public let sets: [DateFields]
    public let repeats: Bool
    /// Zone, policies, calendar and bounds.
    public let options: Options
    /// Made with the trigger, shared by its copies; nil where the components make no sense, which ``validate()`` tells.
    let rule: CalendarRule?
    private var componentWarnings: [String] = []

    public var count: Int? { options.count }
    /// Components that were given and are ignored (``BelfryRecurrence/DateFields/warnings``).
    public var warnings: [String] { componentWarnings + sets.flatMap(\.warnings) }
    public var followsSystemZone: Bool { options.zone == .floating }

    /// A trigger by Foundation's components.
    ///
    /// Their time zone, and their calendar with its weeks, take the place of those in `options` where they have them.
    /// What ``BelfryRecurrence/DateFields/init(_:)-(DateComponents)`` ignores is listed in ``warnings``.
    public init(matching components: DateComponents, repeats: Bool, options: Options = Options()) {
        var options = options
        if let zone = components.timeZone { options.zone = .named(zone.identifier) }
        if let calendar = components.calendar {
            options.weeks = WeekRules(calendar)
            options.calendar = CalendarSystem(calendar.identifier)
        }
        self.init(matching: [DateFields(components)], repeats: repeats, options: options)
        componentWarnings = DateFields.warnings(for: components)
    }

    /// A trigger by the date engine's own components, which name more than Foundation's.
    public init(matching fields: DateFields, repeats: Bool, options: Options = Options()) {
        self.init(matching: [fields], repeats: repeats, options: options)
    }

    /// A trigger for the union of several sets of components.
    public init(matching sets: [DateFields], repeats: Bool, options: Options = Options()) {
        self.sets = sets
        self.repeats = repeats
        self.options = options
        // What is bounded or counted by another calendar is computed from scratch each time.
        let isPlain = options.calendar == .gregorian && options.starting == nil && options.until == nil
        rule = isPlain ? try? CalendarRule(matching: sets, options) : nil
    }

    public func validate() throws(NoticeError) {
        let (starting, until) = (options.starting, options.until)
        if let starting { try NumberBounds.check(starting, "starting") }
        if let until { try NumberBounds.check(until, "until") }
        if let impossible = try pattern(in: .utc).impossibility { throw NoticeError(impossible) }
        if let count, count < 1 {
            throw NoticeError(.invalidComponent, "A calendar trigger of \(count) times: it must be 1 or more.")
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
        return pattern.next(after: date, from: options.starting, through: options.until)
    }

    private func pattern(in systemZone: ZoneRules) throws(NoticeError) -> any RecurrencePattern {
        do throws(RecurrenceError) {
            let rules = try options.zone.rules(or: systemZone)
            guard let foreign = options.calendar.foreign else {
                return try DatePattern(matching: sets, zone: rules, policies: options.policies, weeks: options.weeks)
            }
            return try ForeignCalendarPattern(
                matching: sets,
                calendar: foreign,
                zone: rules,
                policies: options.policies,
                weeks: options.weeks
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
