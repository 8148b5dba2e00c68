#if CommandLine
import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

/// The options for the trigger: at most one kind, with its own options.
struct TriggerOptions: ParsableArguments {
    // A value with a minus sign is wrong, but it is a value: its own error says what is.
    @Option(
        name: .customLong("in"),
        parsing: .unconditional,
        help: .init("Fire once, after a duration: 90s, 5m, 1h30m, 2d.", valueName: "duration")
    )
    var delay: String?

    @Option(
        help: .init(
            "Fire once, at a date: 2026-12-24T18:00:00+01:00, '2026-12-24 18:00', @1767225600.",
            valueName: "date"
        )
    )
    var at: String?

    @Option(parsing: .unconditional, help: .init("Repeat at an interval of 60 seconds or more.", valueName: "duration"))
    var every: String?

    @Option(
        help: .init(
            "When the local date and time match: month=5,day=10,hour=8. Repeat it for several sets of components.",
            valueName: "components"
        )
    )
    var match: [String] = []

    @Option(help: .init("Repeat by a systemd.time calendar expression: 'Mon..Fri 09:25'.", valueName: "expression"))
    var on: String?

    @Option(help: .init("Repeat by a cron expression: '25 9 * * 1-5'.", valueName: "expression"))
    var cron: String?

    @Option(
        help: .init("Repeat by an RFC 5545 recurrence rule: 'FREQ=WEEKLY;BYDAY=MO', with --start.", valueName: "rule")
    )
    var rrule: String?

    @Option(help: .init("The first date of --rrule; the earliest date of --on and --cron.", valueName: "date"))
    var start: String?

    @Option(
        // A southern latitude begins with a minus sign, like an option.
        parsing: .unconditional,
        help: ArgumentHelp(
            "Near a point; latitude and longitude in degrees, radius in meters.",
            valueName: "lat,lon,radius"
        )
    )
    var near: String?

    @Option(help: "When --near fires: entry, exit or both.", completion: .names(of: CircularRegion.Edge.self))
    var edge: String?

    @Option(
        help: .init(
            "With --near: in these minutes alone, in systemd's words: 'Mon..Fri 08..18:*'.",
            valueName: "expression"
        )
    )
    var during: String?

    @Option(
        parsing: .unconditional,
        help: .init("How long the device must stay inside (or outside) before --near fires.", valueName: "duration")
    )
    var dwell: String?

    @Flag(name: .customLong("repeat"), help: "Fire every time that --match or --near applies, not only once.")
    var repeats = false

    @Option(parsing: .unconditional, help: .init("The number of firings of a repeating trigger.", valueName: "count"))
    var times: Int?

    @Option(help: "The time zone of local dates and of --match; by default the system's.", completion: .zones)
    var zone: String?

    @OptionGroup
    var policies: PolicyOptions

    /// Returns the zone for dates without one.
    func zoneRules() throws(NoticeError) -> ZoneRules { try .option(zone) }

    /// Returns the trigger; nil if none is given, which means now.
    func trigger() throws -> (any NoticeTrigger)? {
        let kind = try chosenKind()
        try checkCompanions(of: kind)
        let trigger: any NoticeTrigger
        switch kind {
        case nil: return nil
        case .in: trigger = IntervalTrigger(after: try DurationText.parse(delay ?? "", option: "--in"))
        case .at: trigger = DateTrigger(date: try DateText(zone: try zoneRules()).parse(at ?? "", option: "--at"))
        case .every:
            trigger = IntervalTrigger(every: try DurationText.parse(every ?? "", option: "--every"), count: times)
        case .match: trigger = try calendarTrigger()
        case .near: trigger = try locationTrigger()
        case .on: trigger = try recurrence(.onCalendar(on ?? ""))
        case .cron: trigger = try recurrence(.cron(cron ?? ""))
        case .rrule: trigger = try recurrence(.rrule(rrule ?? ""))
        }
        try trigger.validate()
        return trigger
    }

    private func chosenKind() throws(NoticeError) -> TriggerKey? {
        let given: [TriggerKey: Bool] = [
            .in: delay != nil, .at: at != nil, .every: every != nil, .match: !match.isEmpty, .on: on != nil,
            .cron: cron != nil, .rrule: rrule != nil, .near: near != nil,
        ]
        let kinds = TriggerKey.allCases.filter { given[$0] ?? false }
        guard kinds.count <= 1 else {
            let names = kinds.map { "--\($0.rawValue)" }.joined(separator: " and ")
            throw .usage("\(names) exclude each other: a request has one trigger, so add a request for each of them.")
        }
        return kinds.first
    }

    private func checkCompanions(of kind: TriggerKey?) throws(NoticeError) {
        if repeats, kind != .match, kind != .near {
            throw .usage("--repeat belongs to --match and --near; to repeat a time span, use --every.")
        }
        let companions: [(option: String, isGiven: Bool, kind: TriggerKey)] = [
            ("--edge", edge != nil, .near), ("--during", during != nil, .near), ("--dwell", dwell != nil, .near),
            ("--missing-date", policies.missingDate != nil, .match),
            ("--missing-time", policies.missingTime != nil, .match),
            ("--repeated-time", policies.repeatedTime != nil, .match),
            ("--first-weekday", policies.firstWeekday != nil, .match),
            ("--minimum-days-in-first-week", policies.minimumDaysInFirstWeek != nil, .match),
        ]
        if let other = companions.first(where: { $0.isGiven && $0.kind != kind }) {
            throw .usage("\(other.option) belongs to --\(other.kind.rawValue), which is not given.")
        }
        let isRule = kind == .on || kind == .cron || kind == .rrule
        if start != nil, !isRule { throw .usage("--start belongs to --rrule, --cron and --on; none of them is given.") }
        if times != nil, kind != .every, !isRule, !(kind == .match && repeats) {
            throw .usage("--times belongs to what repeats: --every, --rrule, --cron, --on, or --match with --repeat.")
        }
    }

    private var zoneReference: ZoneReference { zone.map { .named($0) } ?? .floating }

    private func calendarTrigger() throws(NoticeError) -> CalendarTrigger {
        var sets: [DateFields] = []
        for text in match { sets.append(try MatchText.parse(text)) }
        _ = try zoneRules()
        return CalendarTrigger(
            matching: sets,
            repeats: repeats,
            options: .init(
                zone: zoneReference,
                policies: try policies.policies(),
                weeks: policies.weeks,
                count: times
            )
        )
    }

    private func recurrence(_ rule: RecurrenceTrigger.Rule) throws -> RecurrenceTrigger {
        let clock = try zoneRules()
        let start = try start.map { try DateText(zone: clock).value(of: $0, option: "--start") }
        return try RecurrenceTrigger(
            rule,
            zone: zoneReference,
            startingByClock: start?.date,
            typedAs: start?.local,
            of: clock,
            count: times
        )
    }

    private func locationTrigger() throws(NoticeError) -> LocationTrigger {
        let text = near ?? ""
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1], let radius = numbers[2] else {
            throw .unreadable(
                "--near: '\(text.clipped)' can't be read; write it as --near 48.137,11.575,150 (degrees, meters)."
            )
        }
        var trigger = LocationTrigger(
            region: CircularRegion(latitude: latitude, longitude: longitude, radius: radius),
            repeats: repeats
        )
        if let edge { trigger.edge = try PolicyName.parse(edge, of: "--edge") }
        if let dwell { trigger.dwell = try DurationText.parse(dwell, option: "--dwell") }
        try trigger.validate()
        trigger.during = during
        do throws(NoticeError) { try trigger.validate() } catch {
            throw NoticeError(error.code, "--during: \(error.message)")
        }
        return trigger
    }
}
#endif
