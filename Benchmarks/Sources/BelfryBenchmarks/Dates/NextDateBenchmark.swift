import BelfryRecurrence
import CBenchmarkLoops
import Foundation

/// The next date of a compiled rule, each answer being the next question, against Foundation and libical.
enum NextDateBenchmark {
    static func againstFoundation(_ report: inout BenchmarkReport) throws {
        var calendar = Calendar(identifier: .gregorian)
        guard let zone = TimeZone(identifier: DateCase.zoneName) else {
            throw BenchmarkFault(description: "Foundation does not know \(DateCase.zoneName).")
        }
        calendar.timeZone = zone
        var ratios: [Double] = []
        for item in DateCase.all {
            let pattern = try item.pattern()
            try compare(item, foundationDates(item, calendar), "Foundation")
            let time = try Alternation.medians {
                try timeOfOurs(item, pattern)
            } theirs: {
                var count = 0
                let elapsed = Stopwatch.seconds { count = foundationDates(item, calendar).count }
                return elapsed / Double(count)
            }
            ratios.append(time.theirs / time.ours)
            report.add(
                .less(
                    "next date: \(item.name)",
                    time.ours * 1e9,
                    "ns",
                    against: "Foundation",
                    time.theirs * 1e9,
                    toBe: 100
                )
            )
        }
        let mean = exp(ratios.map(log).reduce(0, +) / Double(ratios.count))
        var row = BenchmarkRow.bound(
            "next date: geometric mean of the ratios",
            mean,
            "×",
            target: "400×",
            reached: mean >= 400
        )
        row.against = "Foundation"
        report.add(row)
    }

    static func againstLibical(_ report: inout BenchmarkReport) throws {
        for item in DateCase.all {
            guard let rule = benchmark_ical_open(item.rule, item.start, DateCase.zoneName) else {
                throw BenchmarkFault(description: "libical can't read \(item.rule) or \(item.start).")
            }
            defer { benchmark_ical_close(rule) }
            let pattern = try item.pattern()
            var dates = [Int64](repeating: 0, count: item.count)
            var elapsed = 0.0
            if item.isOneShot {
                let date = benchmark_ical_first(rule, 1, &elapsed)
                try compare(item, Array(repeating: date, count: item.count), "libical")
            } else {
                let count = benchmark_ical_walk(rule, &dates, item.count, &elapsed)
                try compare(item, Array(dates.prefix(count)), "libical")
            }
            let time = try Alternation.medians {
                try timeOfOurs(item, pattern)
            } theirs: {
                if item.isOneShot {
                    keep(benchmark_ical_first(rule, 200, &elapsed))
                    return elapsed / 200
                }
                let count = benchmark_ical_walk(rule, &dates, item.count, &elapsed)
                return elapsed / Double(count)
            }
            report.add(
                .less("next date: \(item.name)", time.ours * 1e9, "ns", against: "libical", time.theirs * 1e9, toBe: 20)
            )
            if item.isOneShot {
                keep(benchmark_ical_convert(rule, Effort.count(100_000), &elapsed))
                report.add(
                    .less(
                        "next date: one-shot, against a conversion alone",
                        time.ours * 1e9,
                        "ns",
                        against: "libical",
                        elapsed * 1e9 / Double(Effort.count(100_000))
                    )
                )
            }
        }
        report.note(
            "libical walks with one iterator over the rule (made before the clock starts) and turns each date into UTC; "
                + "only the one-shot needs an iterator of its own each time. 'Conversion alone' is what its local date costs "
                + "where no rule is involved."
        )
    }

    /// Seconds a date.
    private static func timeOfOurs(_ item: DateCase, _ pattern: DatePattern) throws -> Double {
        let count = item.oursCount
        let walks = max(1, Effort.count(40_000, tiny: 1) / count)
        var sum: Int64 = 0
        let elapsed = Stopwatch.seconds {
            for _ in 0..<walks {
                var last = item.beginning
                for number in 0..<count {
                    guard let next = pattern.next(after: item.isOneShot ? item.question(number) : last) else { break }
                    sum &+= next
                    last = next
                }
            }
        }
        keep(sum)
        return elapsed / Double(walks * count)
    }

    private static func foundationDates(_ item: DateCase, _ calendar: Calendar) -> [Int64] {
        let components = item.components
        var dates: [Int64] = []
        dates.reserveCapacity(item.count)
        var last = Date(timeIntervalSince1970: Double(item.beginning))
        for number in 0..<item.count {
            if item.isOneShot { last = Date(timeIntervalSince1970: Double(item.question(number))) }
            guard let next = calendar.nextDate(after: last, matching: components, matchingPolicy: .strict) else {
                break
            }
            dates.append(Int64(next.timeIntervalSince1970))
            last = next
        }
        return dates
    }

    private static func compare(_ item: DateCase, _ theirs: [Int64], _ name: String) throws {
        let pattern = try item.pattern()
        var last = item.beginning
        for number in 0..<item.count {
            let next = pattern.next(after: item.isOneShot ? item.question(number) : last)
            guard number < theirs.count, next == theirs[number] else {
                throw BenchmarkFault(
                    description: "\(item.name), date \(number): ours \(next.map(String.init) ?? "none"), \(name) "
                        + "\(number < theirs.count ? String(theirs[number]) : "none")."
                )
            }
            last = next ?? last
        }
    }
}
