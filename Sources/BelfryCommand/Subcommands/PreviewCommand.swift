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

            Nothing is shown or changed. The notices are those of what is pending, or of a schedule file alone, which \
            begins at --from. Time is simulated, and nobody answers: a series comes to its last notice. Quiet hours are \
            kept, those of what is pending. With a track the preview begins with its first position, when that was \
            recorded; with --from as well, the way begins then.
            """
    )

    @Argument(help: "A schedule file; what is pending otherwise.", completion: .schedules)
    var file: String?

    @Option(help: .init("From this date on; now otherwise.", valueName: "date"))
    var from: String?

    @Option(help: .init("Until this date, a bare date is its last second; a week otherwise.", valueName: "date"))
    var until: String?

    @Option(help: "The language of the texts, such as de; the system's otherwise.")
    var language: [String] = []

    @Option(help: "The time zone, such as Europe/Berlin; the system's otherwise.", completion: .zones)
    var zone: String?

    @Option(help: .init("So many notices at most.", valueName: "number"))
    var limit = 1_000

    @Option(
        help: .init("The way of this GPX or NMEA file is gone meanwhile, for places.", valueName: "file"),
        completion: .tracks
    )
    var track: String?

    @Flag(help: "An iCalendar file, to look at in a calendar.")
    var ics = false

    @OptionGroup(title: "Store (without any: the agent's)")
    var keeping: StoreOptions

    @OptionGroup
    var speech: OutputOptions

    private static let week = 7 * 86_400.0
    private static let maximumLimit = 1_000_000

    func validate() throws {
        if file != nil, keeping.store != nil {
            throw ValidationError("A file is previewed alone: leave --store out, or the file.")
        }
        if ics, speech.json { throw ValidationError("--ics and --json exclude each other.") }
        guard (1...Self.maximumLimit).contains(limit) else {
            throw ValidationError("--limit \(limit) is not in 1–\(Self.maximumLimit).")
        }
    }

    func run() async throws {
        let output = speech.output
        defer { keeping.reportDamage(to: output) }
        let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let plan = try plan(at: now)
        let result: PreviewPlan.Result
        if let file {
            var options = ScheduleOptions(languages: plan.languages, zone: plan.zone)
            options.name = file
            result = try plan.notices(of: try NoticeSchedule(contentsOf: PathText.path(file), options: options))
        } else {
            let center = try await keeping.center()
            result = try await plan.notices(pending: try await center.pending(), of: center, at: now)
        }
        guard !ics else {
            try output.raw(CalendarText(result.outcome.shown, stamp: now).text)
            return result.outcome.isCut ? output.note("there is more; --limit shows it") : ()
        }
        try PreviewReport(zone: plan.zone, output: output).write(result)
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
        guard end >= start else { throw NoticeError.usage("--until is before --from: nothing is in between.") }
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
        let fixes = try LocationTrack(contentsOf: PathText.path(track), pace: TrackPace(from: start ?? now)).fixes
        guard let start, let first = fixes.first else { return fixes }
        let shift = start.timeIntervalSince(first.date)
        return fixes.map { fix in
            var fix = fix
            fix.date += shift
            return fix
        }
    }
}
