import BelfryRecurrence
import CBenchmarkLoops
import Foundation

/// Reading a rule's text and finding its first date: RRULE against libical, cron and OnCalendar against nothing.
enum NotationBenchmark {
    private static let rounds = Effort.count(2_000, tiny: 10)

    static func run(_ report: inout BenchmarkReport) throws {
        let zone = try ZoneRules.named(DateCase.zoneName)
        for item in DateCase.all where !item.isOneShot {
            let start = try start(of: item, zone)
            var elapsed = 0.0
            let theirDate = benchmark_ical_parse_and_first(item.rule, item.start, DateCase.zoneName, 1, &elapsed)
            let ourDate = try RRule(parsing: item.rule).compiled(start: start, zone: zone).next(after: start - 1)
            guard ourDate == theirDate else {
                throw BenchmarkFault(
                    description: "\(item.rule): ours \(ourDate.map(String.init) ?? "none"), libical \(theirDate)."
                )
            }
            let time = try Alternation.medians {
                try timePerRound {
                    try RRule(parsing: item.rule).compiled(start: start, zone: zone).next(after: start - 1)
                }
            } theirs: {
                keep(benchmark_ical_parse_and_first(item.rule, item.start, DateCase.zoneName, rounds, &elapsed))
                return elapsed / Double(rounds)
            }
            report.add(
                .less(
                    "parse and first date: \(item.rule)",
                    time.ours * 1e6,
                    "µs",
                    against: "libical",
                    time.theirs * 1e6
                )
            )
        }
        for text in ["30 8 * * 1-5", "*/15 9-17 1,15 * *", "0 0 29 2 *"] {
            let time = try timePerRound {
                try CronExpression(parsing: text).compiled(zone: zone).next(after: DateCase.beginning)
            }
            report.add(.reported("parse and first date: cron \(text)", time * 1e6, "µs"))
        }
        for text in ["Mon..Fri 08:30", "*-*-1,15 09..17:00/15", "*-02-29"] {
            let time = try timePerRound {
                try CalendarExpression(parsing: text).compiled(zone: zone).next(after: DateCase.beginning)
            }
            report.add(.reported("parse and first date: OnCalendar \(text)", time * 1e6, "µs"))
        }
    }

    /// Seconds of one round, the median of some measurements.
    private static func timePerRound(_ work: () throws -> Int64?) throws -> Double {
        var times: [Double] = []
        for _ in 0..<5 {
            var sum: Int64 = 0
            let time = try Stopwatch.seconds { for _ in 0..<rounds { sum &+= try work() ?? 0 } }
            keep(sum)
            times.append(time / Double(rounds))
        }
        return Alternation.median(times)
    }

    private static func start(of item: DateCase, _ zone: ZoneRules) throws -> Int64 {
        guard let opened = benchmark_ical_open(item.rule, item.start, DateCase.zoneName) else {
            throw BenchmarkFault(description: "libical can't read \(item.rule) or \(item.start).")
        }
        defer { benchmark_ical_close(opened) }
        var elapsed = 0.0
        return benchmark_ical_first(opened, 1, &elapsed)
    }
}
