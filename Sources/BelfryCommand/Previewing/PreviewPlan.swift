import Belfry
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

/// A preview of a span of time, by Belfry's own scheduling in simulated time.
struct PreviewPlan: Sendable {
    /// The first instant; both instants are inclusive.
    let from: Date
    let until: Date
    let zone: ZoneRules
    /// The languages of the texts; nil follows the environment.
    let languages: [String]?
    /// The maximum number of notices.
    let limit: Int
    /// The route of the device in that time; empty if unknown.
    var way: [LocationFix] = []

    struct Result: Sendable {
        let outcome: SimulatedRun.Outcome
        /// The parts of the schedule that can't be predicted, with the reasons.
        let notes: [String]
    }

    /// Previews a schedule file alone, whose entries begin at ``from``.
    func notices(of schedule: NoticeSchedule) throws -> Result {
        var run = try SimulatedRun(from: from, zone: zone, languages: languages)
        var wanted = try schedule.requests(of: schedule.source, beginningAt: from, in: zone)
        for index in wanted.entries.indices {
            guard way.isEmpty, let requests = wanted.entries[index].requests else { continue }
            let timed = requests.filter { !($0.trigger is any RegionTrigger) }
            guard timed.count < requests.count else { continue }
            wanted.entries[index].requests = timed
            wanted.entries[index].remark = "It waits for a region, so it has no date."
        }
        let report = try run.synchronize(wanted)
        run.travel(way)
        let notes = schedule.warnings + report.skipped.map { "'\($0.entry)' is not shown: \($0.message)" }
        return Result(outcome: try run.run(until: until, atMost: limit), notes: notes)
    }

    /// Previews the pending requests, which are simulated until ``from`` without output.
    func notices(pending: [PendingNotice], of center: NoticeCenter, at now: Date) async throws -> Result {
        var run = try SimulatedRun(
            from: min(now, from),
            pending: pending,
            zone: zone,
            quietHours: try await center.quietHours(),
            categories: try await center.categories(),
            languages: languages
        )
        if from > now {
            let before = try run.run(until: from.addingTimeInterval(-0.000_001), atMost: Self.unseenLimit)
            guard !before.isCut else {
                throw NoticeError(
                    .unsupported,
                    "Before --from more than \(Self.unseenLimit) notices would be shown: name an earlier date."
                )
            }
        }
        run.travel(way)
        return Result(outcome: try run.run(until: until, atMost: limit), notes: [])
    }

    private static let unseenLimit = 1_000_000
}
