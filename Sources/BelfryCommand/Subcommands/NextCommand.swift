#if CommandLine
import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

struct NextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Print the next dates of a trigger.",
        discussion: """
            belfry next --match month=2,day=29,hour=8 --repeat --count 4
            belfry next --match hour=2,minute=30 --zone Europe/Berlin --after 2026-03-28
            belfry next --on 'Mon..Fri 09:25'
            belfry next --rrule 'FREQ=MONTHLY;BYDAY=-1FR' --start 2026-01-30
            belfry next --every 1h30m --count 3

            Nothing is added. With --count, --match looks at every date and not only at the first. With --batch, \
            questions are read from standard input as JSON, one object per line, and the results are written in the \
            same way.
            """
    )

    @OptionGroup
    var trigger: TriggerOptions

    @Option(help: .init("Print dates after this one; by default now.", valueName: "date"))
    var after: String?

    @Option(help: .init("The last date; a date without a time means its last second.", valueName: "date"))
    var until: String?

    @Option(
        parsing: .unconditional,
        help: .init("The number of dates; by default 5 if the trigger repeats, else 1.", valueName: "number")
    )
    var count: Int?

    @Flag(help: "Read questions from standard input, one JSON object per line.")
    var batch = false

    @OptionGroup
    var output: OutputOptions

    private static let maximumCount = 1_000_000

    func run() throws {
        guard !batch else { return try BatchMode.run() }
        let zone = try trigger.zoneRules()
        let reader = DateText(zone: zone)
        // Whole seconds: entered dates have no fraction, and printed ones need none.
        let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let start = try after.map { try reader.parse($0, option: "--after") } ?? now
        let last = LocalDate.range.upperBound
        let end =
            try until.map { try reader.parse($0, option: "--until", bareDate: .lastSecond) }
            ?? Date(timeIntervalSince1970: Double(last - Int64(zone.offset(at: last))))
        guard let chosen = try trigger.trigger() else {
            throw NoticeError.usage(
                "No trigger is given; name one, such as --match hour=8 --repeat, --every 1h or --at '2026-12-24 18:00'."
            )
        }
        guard !(chosen is any RegionTrigger) else {
            throw NoticeError(
                .unsupported,
                "A region has no dates: nobody knows when it is reached. Use next with a trigger of time."
            )
        }
        let output = output.writer
        if let sentence = chosen.repeats ? chosen.sentence(zone: zone) : nil { output.note(sentence) }
        let wanted = count ?? (chosen.repeats ? 5 : 1)
        guard (0...Self.maximumCount).contains(wanted) else {
            throw NoticeError.usage("--count \(wanted) is not in 0–\(Self.maximumCount).")
        }
        var counted = chosen
        if count != nil, let match = chosen as? CalendarTrigger {
            counted = CalendarTrigger(matching: match.sets, repeats: true, options: match.options)
        }
        var printed = 0
        for date in counted.previewOccurrences(wanted, after: start, in: zone) {
            if date > end { break }
            printed += 1
            try output.result(
                ["at": date.rfc3339(in: zone)],
                "\(date.readable(in: zone))  \(date.distance(from: now))"
            )
        }
        guard printed > 0 || wanted == 0 else {
            throw NoticeError(
                .neverFires,
                "There is no such date\(until == nil ? "" : " before --until"); "
                    + "look at the year and the other components, and at --after."
            )
        }
    }
}
#endif
