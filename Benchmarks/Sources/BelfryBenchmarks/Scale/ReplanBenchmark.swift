import BelfryRecurrence
import Foundation

@testable import Belfry

/// A million calendar triggers planned anew after a journey.
enum ReplanBenchmark {
    static let count = Effort.count(1_000_000)

    static func run(_ report: inout BenchmarkReport) throws {
        let zones = try [ZoneRules.named("America/New_York"), .named("Europe/Berlin"), .named("America/Los_Angeles")]
        var schedule = Schedule(zone: zones[2], at: SampleRequests.start)
        schedule.drive(.started, at: SampleRequests.start)
        let fields = SampleRequests.calendarFields(count)
        let requests = SampleRequests.calendar(count)
        for start in stride(from: 0, to: count, by: 1_000) {
            try schedule.drive(at: SampleRequests.start) { try $0.add(Array(requests[start..<start + 1_000])) }
        }
        // A day later what was due has fired, and the rest has not.
        var now = SampleRequests.start
        now.wall += 86_400_000_000
        now.boot += 86_400_000_000
        schedule.drive(.woke, at: now)
        var times: [Double] = []
        for round in 0..<12 {
            now.wall += 60_000_000
            now.boot += 60_000_000
            let zone = zones[round % zones.count]
            let offset = schedule.context.zone.offset(at: now.wall / 1_000_000)
            times.append(Stopwatch.seconds { schedule.drive(.zoneChanged(zone), at: now) })
            let shift = max(0, zone.offset(at: now.wall / 1_000_000) - offset)
            try check(schedule, fields, zone, from: now.wall - Int64(shift) * 1_000_000, now)
        }
        let ours = Alternation.median(Array(times.dropFirst(3)))
        let theirs = foundationTime(fields, now) * Double(count)
        var row = BenchmarkRow.less(
            "re-plan 1,000,000 calendar triggers after a zone change",
            ours,
            "s",
            against: "Foundation",
            theirs
        )
        row.target = "0.1 s"
        row.reached = ours <= 0.1
        report.add(row)
        report.note(
            "Re-planned, a day after they were added, are a quarter each daily, weekly, monthly and yearly triggers, each at any minute of the day and on any day of "
                + "its week, month or year (about 255,000 different ones), floating, from Los Angeles to New York to Berlin and back. "
                + "Foundation's time is that for one of them, times a million."
        )
    }

    /// A sample of the new dates against a pattern of its own and, but for days and hours that calendars disagree on,
    /// against Foundation.
    private static func check(
        _ schedule: Schedule,
        _ fields: [DateFields],
        _ zone: ZoneRules,
        from base: Int64,
        _ now: TriggerInstant
    ) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone.identifier) ?? .gmt
        for number in stride(from: 0, to: count, by: 9_973) {
            guard let entry = schedule.entries[SampleRequests.identifier(number)], let due = entry.deadline,
                case .wallClock(let source, _) = entry.timing
            else { throw BenchmarkFault(description: "request \(number) is gone") }
            // What was due already stays due.
            guard due > now.wall else { continue }
            let floor = max(base, schedule.floor(of: entry, source))
            let pattern = try DatePattern(matching: [fields[number]], zone: zone)
            var expected = [pattern.next(after: floor / 1_000_000)]
            if (fields[number].day ?? 0) < 29, !(1...3).contains(fields[number].hour ?? 0) {
                let after = TriggerInstant(wall: floor, boot: 0).date
                let date = calendar.nextDate(
                    after: after,
                    matching: components(fields[number]),
                    matchingPolicy: .nextTime
                )
                expected.append(date.map { Int64($0.timeIntervalSince1970) })
            }
            guard expected.allSatisfy({ $0 == due / 1_000_000 }) else {
                throw BenchmarkFault(
                    description: "\(fields[number]) in \(zone.identifier): planned for \(due), not \(expected)."
                )
            }
        }
    }

    private static func components(_ fields: DateFields) -> DateComponents {
        DateComponents(
            month: fields.month,
            day: fields.day,
            hour: fields.hour,
            minute: fields.minute,
            weekday: fields.weekday
        )
    }

    /// Seconds for one date.
    private static func foundationTime(_ fields: [DateFields], _ now: TriggerInstant) -> Double {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "America/New_York") ?? .gmt
        let sample = stride(from: 0, to: count, by: 2_503).map { fields[$0] }
        let times = (0..<5).map { _ in
            Stopwatch.seconds {
                for fields in sample {
                    keep(calendar.nextDate(after: now.date, matching: components(fields), matchingPolicy: .nextTime))
                }
            }
        }
        return Alternation.median(times) / Double(sample.count)
    }
}
