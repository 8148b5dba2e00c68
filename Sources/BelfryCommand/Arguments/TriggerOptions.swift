import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfrySchedules
import Foundation

/// When or where: at most one of the kinds of trigger, and what belongs to it.
struct TriggerOptions: ParsableArguments {
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Once, after a time span: 90s, 5m, 1h30m, 2d.", valueName: "duration")
    )
    var delay: String?

    @Option(
        help: ArgumentHelp(
            "Once, at a date: 2026-12-24T18:00:00+01:00, '2026-12-24 18:00', @1767225600.",
            valueName: "date"
        )
    )
    var at: String?

    @Option(help: ArgumentHelp("Again and again, 60 seconds apart or more.", valueName: "duration"))
    var every: String?

    @Option(
        help: ArgumentHelp(
            "When the local date and time match: month=5,day=10,hour=8. Repeat it for several sets of components.",
            valueName: "components"
        )
    )
    var match: [String] = []

    @Option(
        help: ArgumentHelp(
            "A systemd.time calendar expression: 'Mon..Fri 09:25'.",
            valueName: "expression"
        )
    )
    var on: String?

    @Option(help: ArgumentHelp("A cron line: '25 9 * * 1-5'.", valueName: "expression"))
    var cron: String?

    @Option(help: ArgumentHelp("An RFC 5545 recurrence rule: 'FREQ=WEEKLY;BYDAY=MO', with --start.", valueName: "rule"))
    var rrule: String?

    @Option(
        help: ArgumentHelp("With --rrule, its first date; with --on and --cron, nothing before it.", valueName: "date")
    )
    var start: String?

    @Option(
        // A latitude in the south begins like an option.
        parsing: .unconditional,
        help: ArgumentHelp(
            "Near a place; latitude and longitude in degrees, radius in metres.",
            valueName: "lat,lon,radius"
        )
    )
    var near: String?

    @Option(help: ArgumentHelp("With --near: entry, exit or both.", valueName: "edge"))
    var edge: String?

    @Option(
        help: ArgumentHelp(
            "With --near: in these minutes alone, in systemd's words: 'Mon..Fri 08..18:*'.",
            valueName: "expression"
        )
    )
    var during: String?

    @Option(
        help: ArgumentHelp("With --near: after so long a stay on the other side of the border.", valueName: "duration")
    )
    var dwell: String?

    @Flag(name: .customLong("repeat"), help: "With --match and --near: every time, not only once.")
    var repeats = false

    @Option(help: ArgumentHelp("Of what repeats: so many firings in all.", valueName: "count"))
    var times: Int?

    @Option(help: ArgumentHelp("The zone of local dates and of --match; the system's otherwise.", valueName: "zone"))
    var zone: String?

    @OptionGroup
    var policies: PolicyOptions

    /// The zone of dates that name none.
    func zoneRules() throws(CommandFailure) -> ZoneRules { try ZoneOption.rules(zone) }

    /// Nil where no trigger was given: now.
    func trigger() throws(CommandFailure) -> (any NoticeTrigger)? {
        let kind = try chosenKind()
        try checkCompanions(of: kind)
        let trigger: (any NoticeTrigger)?
        switch kind {
        case nil: return nil
        case .delay: trigger = IntervalTrigger(after: try DurationText.argument(delay ?? ""))
        case .at: trigger = DateTrigger(date: try DateText(zone: try zoneRules()).argument(at ?? "", option: "--at"))
        case .every: trigger = IntervalTrigger(every: try DurationText.argument(every ?? ""), count: times)
        case .match: trigger = try calendarTrigger()
        case .near: trigger = try locationTrigger()
        case .on: trigger = try recurrence(.onCalendar(on ?? ""))
        case .cron: trigger = try recurrence(.cron(cron ?? ""))
        case .rrule: trigger = try recurrence(.rrule(rrule ?? ""))
        }
        do throws(NoticeError) {
            try trigger?.validate()
        } catch { throw CommandFailure(error) }
        return trigger
    }

    private enum Kind: String, CaseIterable {
        case delay = "in"
        case at, every, match, on, cron, rrule, near
    }

    private func chosenKind() throws(CommandFailure) -> Kind? {
        let given: [Kind: Bool] = [
            .delay: delay != nil, .at: at != nil, .every: every != nil, .match: !match.isEmpty, .on: on != nil,
            .cron: cron != nil, .rrule: rrule != nil, .near: near != nil,
        ]
        let kinds = Kind.allCases.filter { given[$0] ?? false }
        guard kinds.count <= 1 else {
            let names = kinds.map { "--\($0.rawValue)" }.joined(separator: " and ")
            throw .usage("\(names) are both triggers; a request has one, so add a second request for the other.")
        }
        return kinds.first
    }

    private func checkCompanions(of kind: Kind?) throws(CommandFailure) {
        if repeats, kind != .match, kind != .near {
            throw .usage("--repeat belongs to --match and --near; to repeat a time span, use --every.")
        }
        for (option, value) in [("--edge", edge), ("--during", during), ("--dwell", dwell)]
        where value != nil && kind != .near { throw .usage("\(option) belongs to --near, which is not given.") }
        let isRule = kind == .on || kind == .cron || kind == .rrule
        if start != nil, !isRule { throw .usage("--start belongs to --rrule, --cron and --on; none of them is given.") }
        if times != nil, kind != .every, !isRule, !(kind == .match && repeats) {
            throw .usage("--times belongs to what repeats: --every, --rrule, --cron, --on, or --match with --repeat.")
        }
    }

    private func calendarTrigger() throws(CommandFailure) -> CalendarTrigger {
        var sets: [DateFields] = []
        for text in match { sets.append(try MatchText.parse(text)) }
        _ = try zoneRules()
        return CalendarTrigger(
            matching: sets,
            repeats: repeats,
            options: .init(
                zone: zone.map { .named($0) } ?? .floating,
                policies: try policies.policies(),
                weeks: policies.weeks(),
                count: times
            )
        )
    }

    private func recurrence(_ rule: RecurrenceTrigger.Rule) throws(CommandFailure) -> RecurrenceTrigger {
        let clock = try zoneRules()
        let starting = try DateText(zone: clock).argument(start, option: "--start")
        do throws(NoticeError) {
            return try RecurrenceTrigger(
                rule,
                zone: zone.map { .named($0) } ?? .floating,
                startingByClock: starting,
                of: clock,
                count: times
            )
        } catch { throw CommandFailure(error) }
    }

    private func locationTrigger() throws(CommandFailure) -> LocationTrigger {
        let text = near ?? ""
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1], let radius = numbers[2] else {
            throw .unreadable(
                "--near: '\(text.clipped)' can't be read; write it as --near 48.137,11.575,150 (degrees, metres)."
            )
        }
        var trigger = LocationTrigger(
            region: CircularRegion(latitude: latitude, longitude: longitude, radius: radius),
            repeats: repeats
        )
        if let edge { trigger.edge = try PolicyName.parse(edge, of: "--edge") }
        if let dwell { trigger.dwell = try DurationText.argument(dwell) }
        trigger.during = during
        return trigger
    }
}
