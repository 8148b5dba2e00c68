import BelfryRecurrence
import FoundationEssentials

/// Codes everything except the rule, which follows from the rest, and the warnings about the original components.
extension CalendarTrigger {
    private enum CodingKeys: String, CodingKey {
        case sets, repeats, zone, policies, weeks, calendar, starting, until
        case count = "times"
    }

    /// Decodes a trigger.
    ///
    /// - Throws: ``NoticeError/Code/unsupported`` for a non-Gregorian calendar in a program without BelfryCalendars;
    ///   permanent. A stored request with such a trigger is kept unchanged, and reported. Otherwise a `DecodingError`,
    ///   which is permanent, too.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            matching: try values.decode([DateFields].self, forKey: .sets),
            repeats: try values.decode(Bool.self, forKey: .repeats),
            options: Options(
                zone: try values.decode(ZoneReference.self, forKey: .zone),
                policies: try values.decode(DatePolicies.self, forKey: .policies),
                weeks: try values.decode(WeekRules.self, forKey: .weeks),
                calendar: try values.decodeIfPresent(CalendarSystem.self, forKey: .calendar) ?? .gregorian,
                starting: try values.decodeIfPresent(Date.self, forKey: .starting),
                until: try values.decodeIfPresent(Date.self, forKey: .until),
                count: try values.decodeIfPresent(Int.self, forKey: .count)
            )
        )
        if options.calendar != .gregorian, !ForeignCalendarPattern.isAvailable { try validate() }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(sets, forKey: .sets)
        try values.encode(repeats, forKey: .repeats)
        try values.encode(options.zone, forKey: .zone)
        try values.encode(options.policies, forKey: .policies)
        try values.encode(options.weeks, forKey: .weeks)
        if options.calendar != .gregorian { try values.encode(options.calendar, forKey: .calendar) }
        try values.encodeIfPresent(options.starting, forKey: .starting)
        try values.encodeIfPresent(options.until, forKey: .until)
        try values.encodeIfPresent(options.count, forKey: .count)
    }

    public static func == (left: CalendarTrigger, right: CalendarTrigger) -> Bool {
        left.sets == right.sets && left.repeats == right.repeats && left.options == right.options
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(sets)
        hasher.combine(repeats)
        hasher.combine(options)
    }
}
