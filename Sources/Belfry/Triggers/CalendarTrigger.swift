import BelfryRecurrence
import Foundation

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
    /// How many firings in all; nil is without end.
    public let times: Int?
    /// Made with the trigger, shared by its copies; nil where the components make no sense, which ``validate()`` tells.
    let rule: CalendarRule?
    /// Components that were given and are left out of account: those that ``DateFields`` read and dropped.
    public var warnings: [String] { sets.flatMap(\.warnings) }

    public var followsSystemZone: Bool { zone == .floating }

    public init(
        matching sets: [DateFields],
        repeats: Bool,
        zone: ZoneReference = .floating,
        policies: DatePolicies = .init(),
        weeks: WeekRules = .init(),
        times: Int? = nil
    ) {
        self.sets = sets
        self.repeats = repeats
        self.zone = zone
        self.policies = policies
        self.weeks = weeks
        self.times = times
        rule = try? CalendarRule(matching: sets, zone: zone, policies: policies, weeks: weeks)
    }

    public init(
        matching fields: DateFields,
        repeats: Bool,
        zone: ZoneReference = .floating,
        policies: DatePolicies = .init(),
        weeks: WeekRules = .init(),
        times: Int? = nil
    ) {
        self.init(matching: [fields], repeats: repeats, zone: zone, policies: policies, weeks: weeks, times: times)
    }

    public func validate() throws(NoticeError) {
        let pattern = try pattern(in: .utc)
        if let impossible = pattern.impossibility { throw NoticeError(impossible) }
        if let times, times < 1 {
            throw NoticeError(.invalidComponent, "A calendar trigger of \(times) times: it must be 1 or more.")
        }
    }

    public func nextDate(after date: Date, in context: TriggerContext) -> Date? {
        rule?.next(after: date, in: context.zone)
    }

    private func pattern(in systemZone: ZoneRules) throws(NoticeError) -> DatePattern {
        do throws(RecurrenceError) {
            let rules: ZoneRules
            switch zone {
            case .floating: rules = systemZone
            case .named(let name): rules = try ZoneRules.named(name)
            }
            return try DatePattern(matching: sets, zone: rules, policies: policies, weeks: weeks)
        } catch { throw NoticeError(error) }
    }
}

/// Everything but the rule, which follows from the rest.
extension CalendarTrigger {
    private enum CodingKeys: String, CodingKey { case sets, repeats, zone, policies, weeks, times }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            matching: try values.decode([DateFields].self, forKey: .sets),
            repeats: try values.decode(Bool.self, forKey: .repeats),
            zone: try values.decode(ZoneReference.self, forKey: .zone),
            policies: try values.decode(DatePolicies.self, forKey: .policies),
            weeks: try values.decode(WeekRules.self, forKey: .weeks),
            times: try values.decodeIfPresent(Int.self, forKey: .times)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(sets, forKey: .sets)
        try values.encode(repeats, forKey: .repeats)
        try values.encode(zone, forKey: .zone)
        try values.encode(policies, forKey: .policies)
        try values.encode(weeks, forKey: .weeks)
        try values.encodeIfPresent(times, forKey: .times)
    }

    public static func == (left: CalendarTrigger, right: CalendarTrigger) -> Bool {
        left.sets == right.sets && left.repeats == right.repeats && left.zone == right.zone
            && left.policies == right.policies && left.weeks == right.weeks && left.times == right.times
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(sets)
        hasher.combine(repeats)
        hasher.combine(zone)
        hasher.combine(policies)
        hasher.combine(weeks)
        hasher.combine(times)
    }
}

extension NoticeError {
    /// The date engine's error in the core's terms.
    init(_ error: RecurrenceError) {
        switch error.code {
        case .invalidComponent: self.init(.invalidComponent, error.message)
        case .impossibleDate: self.init(.neverFires, error.message)
        case .unknownZone: self.init(.unknownZone, error.message)
        default: self.init(.invalidNotation, error.message)
        }
    }
}
