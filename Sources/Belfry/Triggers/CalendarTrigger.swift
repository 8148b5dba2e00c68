public import BelfryRecurrence
public import FoundationEssentials

/// Fires when the local date and time equal the given components: once, or every time.
///
/// `hour 8` is daily at 8:00:00, `minute 30` hourly, `month 5, day 10, hour 8` every 10 May, `weekday 3, hour 19` every
/// Tuesday (1 is Sunday); `day -1` is the last of the month.
///
/// ```swift
/// let birthday = CalendarTrigger(matching: DateComponents(month: 5, day: 10, hour: 8), repeats: true)
/// ```
public struct CalendarTrigger: WallClockTrigger {
    public static let kind: TriggerKind = "calendar"

    /// The options of a calendar trigger besides its components; the defaults suit most apps.
    public struct Options: Sendable, Hashable {
        /// The time zone of the components. A floating one follows the system's zone.
        public var zone: ZoneReference
        /// How to handle dates and times that a month or a clock change skips or repeats.
        public var policies: DatePolicies
        /// How weeks are counted.
        public var weeks: WeekRules
        /// The calendar of the components. All except the Gregorian one need the product `BelfryCalendars`.
        public var calendar: CalendarSystem
        /// The first instant at which it may fire.
        public var starting: Date?
        /// The last instant at which it may fire.
        public var until: Date?
        /// The total number of firings, 1 or more; nil is without end.
        public var count: Int?

        /// Creates options; the defaults suit most apps.
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

    /// The sets of components: a date matches if it matches all components of any set.
    public let sets: [DateFields]
    public let repeats: Bool
    /// Zone, policies, calendar and bounds.
    public let options: Options
    /// The rule, shared by copies; nil if there are ``dates``, or if ``validate()`` throws.
    let rule: CalendarRule?
    /// The rule if it has bounds, another calendar, or so many sets that compiling them takes long; otherwise nil.
    let dates: CompiledRecurrence?
    private var componentWarnings: [String] = []

    public var count: Int? { options.count }
    /// Warnings about components that are ignored (``BelfryRecurrence/DateFields/warnings``).
    public var warnings: [String] { componentWarnings + sets.flatMap(\.warnings) }
    public var followsSystemZone: Bool { options.zone == .floating }
    /// The policies for local times; the defaults if no hour is given, as each real hour counts then.
    var policies: DatePolicies { sets.allSatisfy(\.givesHour) ? options.policies : DatePolicies() }

    /// Creates a trigger from Foundation's components.
    ///
    /// The time zone, and the calendar with its weeks, replace those in `options` if the components have them.
    /// ``warnings`` lists what ``BelfryRecurrence/DateFields/init(_:)-(DateComponents)`` ignores.
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

    /// Creates a trigger from the components of the date engine, which has more of them than Foundation.
    public init(matching fields: DateFields, repeats: Bool, options: Options = Options()) {
        self.init(matching: [fields], repeats: repeats, options: options)
    }

    /// Creates a trigger for the union of several sets of components.
    public init(matching sets: [DateFields], repeats: Bool, options: Options = Options()) {
        self.sets = sets
        self.repeats = repeats
        self.options = options
        let isPlain = options.calendar == .gregorian && options.starting == nil && options.until == nil
        if isPlain, sets.count <= Self.quickSetCount {
            rule = try? CalendarRule(matching: sets, options)
            dates = nil
        } else {
            rule = nil
            dates = CompiledRecurrence(zone: options.zone) { zone throws(RecurrenceError) in
                try Self.pattern(of: sets, options, in: zone)
            }
        }
    }

    /// The number of sets that are compiled in microseconds.
    private static let quickSetCount = 16

    /// Checks the components, the zone and the bounds.
    ///
    /// - Throws: ``NoticeError/Code/invalidComponent`` for a component, bound or count that is out of range.
    ///   ``NoticeError/Code/neverFires`` if no date matches, or if it ends before it starts.
    ///   ``NoticeError/Code/unknownZone`` for the zone, and ``NoticeError/Code/unsupported`` for a calendar that needs
    ///   `BelfryCalendars`. All are permanent.
    public func validate() throws(NoticeError) {
        let (starting, until) = (options.starting, options.until)
        if let starting { try NumberBounds.check(starting, "starting") }
        if let until { try NumberBounds.check(until, "until") }
        if let impossible = try pattern(in: .utc).impossibility { throw NoticeError(impossible) }
        if let count { try NumberBounds.check(firings: count, "A calendar trigger", .invalidComponent) }
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
            if let dates { return try dates.pattern(in: systemZone) }
            return try Self.pattern(of: sets, options, in: options.zone.rules(or: systemZone))
        } catch { throw NoticeError(error) }
    }

    private static func pattern(
        of sets: [DateFields],
        _ options: Options,
        in zone: ZoneRules
    ) throws(RecurrenceError) -> any RecurrencePattern {
        guard let calendar = options.calendar.foreign else {
            return try DatePattern(matching: sets, zone: zone, policies: options.policies, weeks: options.weeks)
        }
        func pattern(of sets: [DateFields]) throws(RecurrenceError) -> ForeignCalendarPattern {
            try ForeignCalendarPattern(
                matching: sets,
                calendar: calendar,
                zone: zone,
                policies: options.policies,
                weeks: options.weeks
            )
        }
        let all = try pattern(of: sets)
        guard sets.count > 1 else { return all }
        // Each search for the next date would examine 200 years for a set that has none.
        var dated: [DateFields] = []
        for fields in sets where try pattern(of: [fields]).impossibility == nil { dated.append(fields) }
        return dated.isEmpty ? all : try pattern(of: dated)
    }
}

extension RecurrencePattern {
    /// Returns the first date after `date` that lies between two instants, both inclusive.
    func next(after date: Date, from start: Date?, through end: Date?) -> Date? {
        // Begins just before the start, so that the start itself may fire.
        let floor = start.map { max(date, $0.addingTimeInterval(-1)) } ?? date
        var found = next(after: floor)
        while let early = found, let start, early < start { found = next(after: early) }
        guard let found, end.map({ found <= $0 }) ?? true else { return nil }
        return found
    }
}

extension NoticeError {
    /// Converts an error of the date engine.
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
