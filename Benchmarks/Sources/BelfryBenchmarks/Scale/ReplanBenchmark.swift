@testable import Belfry
import BelfryRecurrence
import Foundation

/// A million calendar triggers planned anew after a journey.
enum ReplanBenchmark {
    static let count = 1_000_000

    static func run(_ report: inout BenchmarkReport) throws {
        let zones = try [ZoneRules.named("America/New_York"), .named("Europe/Berlin"), .named("America/Los_Angeles")]
        var schedule = Schedule(zone: zones[2], at: SampleRequests.start)
        schedule.drive(.started, at: SampleRequests.start)
        let fields = SampleRequests.calendarFields(count)
        let requests = SampleRequests.calendar(count)
        for start in stride(from: 0, to: count, by: 1_000) {
            schedule.drive(.added(Array(requests[start..<start + 1_000]), Ticket(start)), at: SampleRequests.start)
        }
        // An hour later, in the air.
        var now = SampleRequests.start
        var times: [Double] = []
        for round in 0..<12 {
            now.wall += 60_000_000
            now.boot += 60_000_000
            let zone = zones[round % zones.count]
            times.append(Stopwatch.seconds { schedule.drive(.zoneChanged(zone), at: now) })
            try check(schedule, fields, zone, now)
        }
        let ours = Alternation.median(Array(times.dropFirst(3)))
        let theirs = foundationTime(fields, now) * Double(count)
        var row = BenchmarkRow.less("re-plan 1,000,000 calendar triggers after a zone change", ours, "s", against: "Foundation", theirs)
        row.target = "0.1 s"
        row.reached = ours <= 0.1
        report.add(row)
        report.note(
            "Re-planned are a quarter each daily, weekly, monthly and yearly triggers, each at any minute of the day and on any day of "
                + "its week, month or year (about 255,000 different ones), floating, from Los Angeles to New York to Berlin and back. "
                + "Foundation's time is that for one of them, times a million.")
    }

    /// A sample of the new dates against a pattern of its own and, where Foundation is right, against Foundation.
    private static func check(
        _ schedule: Schedule, _ fields: [DateFields], _ zone: ZoneRules, _ now: TriggerInstant
    ) throws {
        for number in stride(from: 0, to: count, by: 9_973) {
            let pattern = try DatePattern(matching: [fields[number]], zone: zone)
            let due = schedule.nextDue(of: SampleRequests.identifier(number))
            // What was jumped over on the way east is due at once; it lies less than a day back.
            let candidates = [now.wall / 1_000_000 - 86_400, now.wall / 1_000_000].map { pattern.next(after: $0) }
            guard let due, candidates.contains(due / 1_000_000) || due <= now.wall else {
                throw BenchmarkFault(
                    description: "\(fields[number]) in \(zone.identifier): planned for \(due ?? -1), not \(candidates).")
            }
        }
    }

    /// Seconds for one date.
    private static func foundationTime(_ fields: [DateFields], _ now: TriggerInstant) -> Double {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "America/New_York") ?? .gmt
        let sample = stride(from: 0, to: count, by: 2_503).map { fields[$0] }
        let times = (0..<5).map { _ in
            Stopwatch.seconds {
                for fields in sample {
                    let components = DateComponents(
                        month: fields.month, day: fields.day, hour: fields.hour, minute: fields.minute,
                        weekday: fields.weekday)
                    keep(calendar.nextDate(after: now.date, matching: components, matchingPolicy: .nextTime))
                }
            }
        }
        return Alternation.median(times) / Double(sample.count)
    }
}
