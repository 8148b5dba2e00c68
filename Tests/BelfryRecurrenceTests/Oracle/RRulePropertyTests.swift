import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@Suite("RRULE against a brute-force oracle", .takesTurns)
struct RRulePropertyTests {
    @Test("The dates of any rule are those of the oracle")
    func dates() throws {
        for number in 0..<150 as Range<UInt64> {
            let seed = RandomSeed.current &+ number
            var generator = SeededGenerator(seed: seed)
            let text = generator.rrule()
            let start = Int64.random(in: 0..<3_000_000_000, using: &generator)
            let recurrence = try RRule(parsing: text)
            let rule = try #require(recurrence.rules.first)
            let isFine = [.hourly, .minutely].contains(rule.frequency)
            let end = start + (isFine ? 5 : rule.frequency == .yearly ? 6000 : 900) * 86_400
            let pattern = try recurrence.compiled(start: start, zone: .utc)
            let expected = RRuleOracle(rule, start: start).dates(through: end)
            let found = Array(pattern.dates(after: start - 1).prefix { $0 <= end })
            #expect(found == expected, "BELFRY_SEED=\(seed) \(text) from \(start)")
            if found != expected { return }
            // Asked from the middle, the answer is the same.
            if let middle = expected.dropFirst(expected.count / 2).first {
                #expect(pattern.next(after: middle - 1) == middle, "BELFRY_SEED=\(seed) \(text) from \(start)")
            }
        }
    }

    @Test(
        "The weeks of a year are counted from its first one and from its last one, whatever day they begin on",
        arguments: ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].enumerated().map { ($1, $0 + 1) }
    )
    func weekNumbers(name: String, firstWeekday: Int) throws {
        let calendar = OracleCalendar.shared
        // The years around 2100, which is no leap year, are among them.
        let newYears = calendar.days.indices.filter {
            calendar.days[$0].dayOfYear == 1 && (1960...2110).contains(calendar.days[$0].year)
        }
        // The first week has 4 January in it.
        let starts = newYears.map { calendar.weekStart($0 + 3, WeekRules(firstWeekday: firstWeekday)) }
        let start = Int64((starts[0] - calendar.epoch) * 86_400)
        let end = Int64((starts[starts.count - 1] - calendar.epoch) * 86_400)
        for number in [1, 9, 52, 53, -1, -2, -52, -53] {
            let expected = zip(starts, starts.dropFirst()).flatMap { first, next -> [Int64] in
                let count = (next - first) / 7
                let week = number > 0 ? number - 1 : count + number
                guard (0..<count).contains(week) else { return [] }
                return (0..<7).map { Int64((first + week * 7 + $0 - calendar.epoch) * 86_400) }
            }
            let rule = "FREQ=YEARLY;BYWEEKNO=\(number);BYDAY=MO,TU,WE,TH,FR,SA,SU;WKST=\(name)"
            let pattern = try RRule(parsing: rule).compiled(start: start, zone: .utc)
            #expect(Array(pattern.dates(after: start - 1).prefix { $0 < end }) == expected, "\(rule)")
        }
    }

    @Test("A printed rule reads as itself")
    func roundTrip() throws {
        let seed = RandomSeed.current
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let rule = try RRule(parsing: generator.rrule())
            #expect(try RRule(parsing: rule.description) == rule, "seed \(seed): \(rule)")
        }
    }
}

extension SeededGenerator {
    /// A rule of any frequency from years to minutes, without week numbers.
    mutating func rrule() -> String {
        let frequency = pick(["YEARLY", "YEARLY", "MONTHLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY"])
        let isYearly = frequency == "YEARLY"
        let isFine = ["HOURLY", "MINUTELY"].contains(frequency)
        var parts = ["FREQ=\(frequency)"]
        if chance(50) { parts.append("INTERVAL=\(pick([2, 3, 4, 5, 7, 12, 13, 45]))") }
        if chance(30) { parts.append("BYMONTH=" + list { $0.int(1...12) }) }
        let hasMonth = parts.last?.hasPrefix("BYMONTH") ?? false
        if isYearly || isFine, chance(15) { parts.append("BYYEARDAY=" + list { $0.signed(1...366) }) }
        if frequency != "WEEKLY", chance(30) { parts.append("BYMONTHDAY=" + list { $0.signed(1...31) }) }
        if chance(40) {
            let most = frequency == "MONTHLY" || hasMonth ? 5 : 53
            let numbered = (isYearly || frequency == "MONTHLY") && chance(60)
            let days = list { generator in
                let number = numbered && generator.chance(80) ? "\(generator.signed(1...most))" : ""
                return number + generator.pick(["MO", "TU", "WE", "TH", "FR", "SA", "SU"])
            }
            parts.append("BYDAY=" + days)
        }
        if chance(25) { parts.append("BYHOUR=" + list { $0.int(0...23) }) }
        if chance(25) { parts.append("BYMINUTE=" + list { $0.int(0...59) }) }
        if chance(20) { parts.append("BYSECOND=" + list { $0.int(0...59) }) }
        if chance(30), parts.contains(where: { $0.hasPrefix("BY") }) {
            parts.append("BYSETPOS=" + list { $0.signed(1...5) })
        }
        if chance(20) { parts.append("WKST=" + pick(["MO", "TU", "SA", "SU"])) }
        if chance(20) { parts.append("COUNT=\(int(1...9))") }
        return parts.joined(separator: ";")
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func signed(_ range: ClosedRange<Int>) -> Int { int(range) * (chance(40) ? -1 : 1) }

    private mutating func list<Value>(_ value: (inout SeededGenerator) -> Value) -> String {
        (0..<int(1...3)).map { _ in "\(value(&self))" }.joined(separator: ",")
    }
}
