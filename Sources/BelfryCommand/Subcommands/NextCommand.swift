import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfrySchedules
import Foundation

struct NextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Print the coming fire dates of a trigger; add nothing.",
        discussion: """
            belfry next --match month=2,day=29,hour=8 --repeat --count 4
            belfry next --match hour=2,minute=30 --zone Europe/Berlin --after 2026-03-28 --missing-time firstValid
            belfry next --on 'Mon..Fri 09:25'
            belfry next --rrule 'FREQ=MONTHLY;BYDAY=-1FR' --start 2026-01-30
            belfry next --every 1h30m --count 3

            With --count, --match looks at every date and not only at the first. With --batch, questions are read from \
            standard input as JSON, one object per line, and answered in the same way.
            """
    )

    @OptionGroup
    var trigger: TriggerOptions

    @Option(help: ArgumentHelp("Dates after this one; now otherwise.", valueName: "date"))
    var after: String?

    @Option(help: ArgumentHelp("No dates after this one; a bare date is its last second.", valueName: "date"))
    var until: String?

    @Option(help: ArgumentHelp("How many dates: 1, or 5 of what repeats, unless given.", valueName: "number"))
    var count: Int?

    @Flag(help: "Read questions from standard input, one JSON object per line.")
    var batch = false

    @OptionGroup
    var speech: OutputOptions

    private static let maximumCount = 1_000_000

    func run() throws {
        guard !batch else { return try BatchMode.run() }
        let zone = try trigger.zoneRules()
        let reader = DateText(zone: zone)
        // Whole seconds: a date as typed has no fraction, and one that is printed needs none.
        let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let start = try reader.argument(after, option: "--after") ?? now
        let end = try reader.argument(until, option: "--until", bareDate: .lastSecond)
        let (coming, repeats) = try fireDates(after: start, zone: zone)
        let wanted = count ?? (repeats ? 5 : 1)
        guard (0...Self.maximumCount).contains(wanted) else {
            throw CommandFailure.usage("--count \(wanted) is not in 0–\(Self.maximumCount).")
        }
        try print(coming, count: wanted, until: end, zone: zone, now: now)
    }

    private func fireDates(after start: Date, zone: ZoneRules) throws(CommandFailure) -> (FireDates, repeats: Bool) {
        guard let chosen = try trigger.trigger() else {
            throw .usage(
                "No trigger is given; name one, such as --match hour=8 --repeat, --every 1h or --at '2026-12-24 18:00'."
            )
        }
        let dates = try FireDates(of: chosen, after: start, zone: zone, looksFurther: count != nil)
        if chosen.repeats, let sentence = chosen.sentence(zone: zone) { speech.output.remark(sentence) }
        return (dates, chosen.repeats)
    }

    private func print(_ coming: FireDates, count: Int, until end: Date?, zone: ZoneRules, now: Date) throws {
        let output = speech.output
        var printed = 0
        for date in coming {
            if printed == count { break }
            if let end, date > end { break }
            printed += 1
            try output.object([("at", .string(RFC3339.text(date, in: zone)))])
            try output.line(
                "\(ReadableDate.text(date, in: zone))  \(ReadableDate.distance(from: now, to: date))"
            )
        }
        guard printed > 0 || count == 0 else {
            throw CommandFailure(
                .neverFires,
                "There is no such date\(end == nil ? "" : " before --until"); "
                    + "look at the year and the other components, and at --after."
            )
        }
    }
}
