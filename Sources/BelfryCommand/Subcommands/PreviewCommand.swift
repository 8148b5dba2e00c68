#if CommandLine
import ArgumentParser
import Belfry
import BelfryLocationReplay
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

struct PreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "List the notices that would be shown.",
        discussion: """
            belfry preview
            belfry preview schedule.json --from 2026-03-28 --until 2026-03-30
            belfry preview --until 2027-01-01 --ics > notices.ics
            belfry preview places.json --track walk.gpx

            Nothing is shown or changed. Time is simulated, and no simulated user responds, so each series runs to its \
            last notice. Without a file the preview has the pending notices and applies quiet hours; a file's notices \
            begin at --from. With a track the preview begins when the track's first position was recorded; with \
            --from, the track begins then.
            """
    )

    @Argument(help: "A schedule file; by default what is pending.", completion: .schedules)
    var file: String?

    @Option(help: .init("The first date; by default now.", valueName: "date"))
    var from: String?

    @Option(
        help: .init("The last date; a date without a time means its last second; by default a week.", valueName: "date")
    )
    var until: String?

    @Option(help: "The language of the texts, such as de; by default the system's.")
    var language: [String] = []

    @Option(help: "The time zone, such as Europe/Berlin; by default the system's.", completion: .zones)
    var zone: String?

    @Option(parsing: .unconditional, help: .init("The maximum number of notices.", valueName: "number"))
    var limit = 1_000

    @Option(
        help: .init("Move along the track of this GPX or NMEA file, for regions.", valueName: "file"),
        completion: .tracks
    )
    var track: String?

    @Flag(help: "Print an iCalendar file, for a calendar program.")
    var ics = false

    @OptionGroup(title: "Store (without any: the agent's)")
    var store: StoreOptions

    @OptionGroup
    var output: OutputOptions

    private static let week = 7 * 86_400.0
    private static let maximumLimit = 1_000_000

    func validate() throws {
        if file != nil, store.path != nil {
            throw ValidationError("A file is previewed alone: leave --store out, or the file.")
        }
        if ics, output.json { throw ValidationError("--ics and --json exclude each other.") }
        guard (1...Self.maximumLimit).contains(limit) else {
            throw ValidationError("--limit \(limit) is not in 1–\(Self.maximumLimit).")
        }
    }

    func run() async throws {
        let output = output.writer
        defer { store.reportDamage(to: output) }
        let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let plan = try plan(at: now)
        let result: PreviewPlan.Result
        if let file {
            let options = ScheduleOptions(languages: plan.languages, zone: plan.zone, name: file)
            result = try plan.notices(of: try NoticeSchedule(contentsOf: PathText.path(file), options: options))
        } else {
            let center = try await store.center()
            result = try await plan.notices(pending: try await center.pending(), of: center, at: now)
        }
        let report = PreviewReport(zone: plan.zone, output: output)
        if ics {
            try output.raw(CalendarText(result.outcome.shown, stamp: now).text)
        } else {
            try report.write(result.outcome.shown)
        }
        report.writeNotes(on: result)
    }

    private func plan(at now: Date) throws -> PreviewPlan {
        let zone = try ZoneRules.option(zone)
        let reader = DateText(zone: zone)
        let given = try from.map { try reader.parse($0, option: "--from") }
        let way = try way(from: given, at: now)
        let start = given ?? way.first?.date ?? now
        let end =
            try until.map { try reader.parse($0, option: "--until", bareDate: .lastSecond) }
            ?? max(start.addingTimeInterval(Self.week), way.last?.date ?? start)
        guard end >= start else {
            throw NoticeError.usage(
                "--until: \(end.readable(in: zone)) is before the first date, \(start.readable(in: zone)); "
                    + "name a later one."
            )
        }
        return PreviewPlan(
            from: start,
            until: end,
            zone: zone,
            languages: language.isEmpty ? nil : language,
            limit: limit,
            way: way
        )
    }

    /// Returns the track, shifted to begin at `start` if that is given.
    private func way(from start: Date?, at now: Date) throws(NoticeError) -> [LocationFix] {
        guard let track else { return [] }
        let fixes = try LocationTrack.read(PathText.path(track), pace: TrackPace(from: start ?? now)).fixes
        guard let start, let first = fixes.first else { return fixes }
        let shift = start.timeIntervalSince(first.date)
        return fixes.map { fix in
            var fix = fix
            fix.date += shift
            return fix
        }
    }
}
#endif
