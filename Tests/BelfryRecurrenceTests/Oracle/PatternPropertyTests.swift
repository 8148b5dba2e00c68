import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@Suite("Patterns against a brute-force oracle", .takesTurns)
struct PatternPropertyTests {
    @Test("Dates near clock changes are those of the oracle, in every zone", arguments: OracleZones.names)
    func nearChanges(zoneName: String) throws {
        let zone = try ZoneRules.named(zoneName)
        var changes: [Int64] = []
        var instant: Int64 = -300_000_000
        while let change = zone.nextChange(after: instant), change < 4_000_000_000 {
            changes.append(change)
            instant = change
        }
        if changes.isEmpty { changes = [0, 1_000_000_000] }
        try run(zone, cases: 14) { generator in generator.pick(changes) }
    }

    @Test("Dates anywhere from 1970 to 2110 are those of the oracle", arguments: OracleZones.names)
    func anywhere(zoneName: String) throws {
        try run(.named(zoneName), cases: 5) { Int64.random(in: 0..<4_400_000_000, using: &$0) }
    }

    @Test(
        "Away from clock changes, dates are those of Foundation",
        arguments: ["America/Los_Angeles", "Asia/Kathmandu"]
    )
    func foundation(zoneName: String) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zoneName))
        let rules = [
            DateFields(hour: 12), DateFields(hour: 9, minute: 30), DateFields(weekday: 3, hour: 19, minute: 30),
            DateFields(day: 15, hour: 12), DateFields(month: 5, day: 10, hour: 8),
            DateFields(month: 12, day: 31, hour: 23),
            DateFields(month: 11, weekday: 5, weekdayOrdinal: 4, hour: 12),
        ]
        for fields in rules {
            let pattern = try DatePattern(matching: [fields], zone: .named(zoneName))
            let components = DateComponents(
                month: fields.month,
                day: fields.day,
                hour: fields.hour,
                minute: fields.minute,
                weekday: fields.weekday,
                weekdayOrdinal: fields.weekdayOrdinal
            )
            var date = Date(timeIntervalSince1970: 1_700_000_000)
            for _ in 0..<20 {
                let expected = calendar.nextDate(after: date, matching: components, matchingPolicy: .nextTime)
                #expect(pattern.next(after: date) == expected, "\(fields) after \(date)")
                date = expected ?? date
            }
        }
    }

    private func run(_ zone: ZoneRules, cases: Int, around: (inout SeededGenerator) -> Int64) throws {
        for number in 0..<cases {
            let seed = RandomSeed.current &+ UInt64(number)
            var generator = SeededGenerator(seed: seed)
            let middle = around(&generator)
            let sets = (0..<generator.pick([1, 1, 1, 2, 3])).map { _ in generator.fields(near: middle) }
            let policies = DatePolicies(
                missingDate: generator.pick(MissingDatePolicy.allCases),
                missingTime: generator.pick(MissingTimePolicy.allCases),
                repeatedTime: generator.chance(50) ? .first : .last
            )
            let weeks = WeekRules(
                firstWeekday: Int.random(in: 1...7, using: &generator),
                minimumDaysInFirstWeek: Int.random(in: 1...7, using: &generator)
            )
            let isFine = sets.contains { $0.hour == nil && ($0.minute != nil || $0.second != nil) }
            let days: Int64 = isFine ? 2 : generator.pick([3, 40, 400])
            let start = middle - Int64.random(in: 0...(min(days, 3) * 86_400), using: &generator)
            let end = start + days * 86_400
            let expected = PatternOracle(sets: sets, zone: zone, policies: policies, weeks: weeks)
                .dates(after: start, through: end)
            let pattern = try DatePattern(matching: sets, zone: zone, policies: policies, weeks: weeks)
            let found = Array(pattern.dates(after: start).prefix { $0 <= end })
            if found == expected { continue }
            let wrong = Set(found).symmetricDifference(expected).sorted().prefix(5)
            Issue.record(
                """
                BELFRY_SEED=\(seed) (case \(number)) in \(zone.identifier): \(sets) \(policies) \(weeks) after \(start) through \
                \(end): \(found.count) and not \(expected.count) dates; they differ at \(Array(wrong)).
                """
            )
            return
        }
    }
}

extension SeededGenerator {
    /// Components of any combination, with values that often occur near an instant.
    mutating func fields(near instant: Int64) -> DateFields {
        let calendar = OracleCalendar.shared
        let index = calendar.epoch + Int(instant / 86_400) + Int.random(in: -1...1, using: &self)
        let day = calendar.days[index]
        var fields = DateFields()
        if chance(30) { fields.month = chance(70) ? day.month : Int.random(in: 1...12, using: &self) }
        if chance(10) { fields.year = day.year }
        switch Int.random(in: 0..<12, using: &self) {
        case 0: fields.day = day.day
        case 1: fields.day = pick([29, 30, 31, -1, -2, -31])
        case 2: fields.weekday = day.weekday
        case 3:
            fields.weekday = day.weekday
            fields.weekdayOrdinal = pick([1, 2, 3, 4, 5, -1, -2, -5])
        case 4: fields.dayOfYear = pick([day.dayOfYear, 366, 60])
        case 5: fields.weekOfMonth = Int.random(in: 0...6, using: &self)
        case 6: fields.weekOfYear = pick([1, 2, 9, 52, 53, max(1, min(53, day.dayOfYear / 7))])
        case 7:
            fields.weekOfYear = pick([1, 52, 53, max(1, min(53, day.dayOfYear / 7))])
            fields.weekday = Int.random(in: 1...7, using: &self)
            if chance(30) { fields.yearForWeekOfYear = day.year }
        case 8: fields.yearForWeekOfYear = day.year + Int.random(in: 0...1, using: &self)
        default: break
        }
        if chance(70) { fields.hour = pick([0, 0, 1, 1, 2, 2, 3, 23, Int.random(in: 0...23, using: &self)]) }
        if chance(60) { fields.minute = pick([0, 1, 15, 30, 45, 59]) }
        if chance(25) { fields.second = pick([0, 30, 59]) }
        if fields == DateFields() { fields.hour = 2 }
        return fields
    }
}
