import BelfryCalendars
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@Suite("Calendars other than the Gregorian, by the same rules", .takesTurns)
struct ForeignCalendarTests {
    init() { OtherCalendars.enable() }

    @Test("Without ICU they are refused by name, instead of ending the program") func unavailable() async {
        await #expect(processExitsWith: .success) {
            let error = #expect(throws: RecurrenceError.self) {
                try ForeignCalendarPattern(matching: [DateFields(hour: 9)], calendar: .hebrew, zone: .utc)
            }
            #expect(error?.code == .calendarUnavailable)
            #expect(error?.message.contains("'hebrew'") == true && error?.message.contains("BelfryCalendars") == true)
        }
    }

    private func dates(
        _ fields: DateFields,
        _ calendar: Calendar.Identifier,
        count: Int = 3,
        missingDate: MissingDatePolicy = .nextDay
    ) throws -> [String] {
        let local = try Local("Europe/Berlin")
        let pattern = try ForeignCalendarPattern(
            matching: [fields],
            calendar: calendar,
            zone: local.zone,
            policies: DatePolicies(missingDate: missingDate)
        )
        return pattern.dates(after: local.instant("2026-01-01 00:00")).prefix(count).map {
            String(local.text($0).dropLast(6))
        }
    }

    @Test("Holidays of the Hebrew, the Islamic, the Chinese and the Buddhist calendar")
    func holidays() throws {
        #expect(
            try dates(DateFields(month: 8, day: 15), .hebrew, count: 2) == ["2026-04-02 00:00", "2027-04-22 00:00"]
        )
        #expect(try dates(DateFields(month: 9, day: 1, hour: 4), .islamicUmmAlQura, count: 1) == ["2026-02-18 04:00"])
        #expect(
            try dates(DateFields(month: 1, day: 1), .chinese, count: 2) == ["2026-02-17 00:00", "2027-02-06 00:00"]
        )
        #expect(try dates(DateFields(year: 2570, month: 1), .buddhist) == ["2027-01-01 00:00"])
    }

    @Test("The Hebrew year 5807 has 355 days, which ICU 72 and 76 don't know")
    func longHebrewYear() throws {
        // The new year, which those have a day late, the first day of Hanukkah, and Passover.
        #expect(try dates(DateFields(year: 5807, month: 1, day: 1), .hebrew) == ["2046-10-01 00:00"])
        #expect(try dates(DateFields(year: 5807, month: 3, day: 25), .hebrew) == ["2046-12-24 00:00"])
        #expect(try dates(DateFields(year: 5807, month: 8, day: 15), .hebrew) == ["2047-04-11 00:00"])
    }

    @Test("A leap month is another month")
    func leapMonth() throws {
        // The Chinese year that began in 2028 has two fifth months.
        let local = try Local("Asia/Shanghai")
        let pattern = try ForeignCalendarPattern(
            matching: [DateFields(month: 5, day: 5)],
            calendar: .chinese,
            zone: local.zone
        )
        let found = pattern.dates(after: local.instant("2028-01-01 00:00")).prefix(2).map { local.text($0).prefix(10) }
        #expect(found == ["2028-05-28", "2029-06-16"])
    }

    @Test("A day that its month lacks moves, and a skipped time shifts")
    func policies() throws {
        // The even months of the Islamic civil calendar have 29 days, the last one 30 in leap years.
        let fields = DateFields(month: 2, day: 30)
        let next = try dates(fields, .islamicCivil, count: 1)
        #expect(try dates(DateFields(month: 3, day: 1), .islamicCivil, count: 1) == next)
        #expect(
            try dates(DateFields(month: 2, day: -1), .islamicCivil, count: 1)
                == dates(fields, .islamicCivil, count: 1, missingDate: .lastDayOfMonth)
        )
        #expect(try dates(fields, .islamicCivil, missingDate: .skip).isEmpty)
    }

    @Test("For the Gregorian calendar the answers are those of the engine")
    func gregorian() throws {
        for number in 0..<40 as Range<UInt64> {
            let seed = RandomSeed.current &+ number
            var generator = SeededGenerator(seed: seed)
            let start = Int64.random(in: 0..<2_000_000_000, using: &generator)
            let zone = try ZoneRules.named(generator.pick(OracleZones.names))
            let fields = generator.fields(near: start)
            let policies = DatePolicies(
                missingDate: generator.pick(MissingDatePolicy.allCases),
                missingTime: generator.pick(MissingTimePolicy.allCases),
                repeatedTime: generator.chance(50) ? .first : .last
            )
            let weeks = WeekRules(firstWeekday: Int.random(in: 1...7, using: &generator))
            let engine = try DatePattern(matching: [fields], zone: zone, policies: policies, weeks: weeks)
            let foreign = try ForeignCalendarPattern(
                matching: [fields],
                calendar: .gregorian,
                zone: zone,
                policies: policies,
                weeks: weeks
            )
            // Within the 200 years that the slower one searches.
            let expected = Array(engine.dates(after: start).prefix(3).prefix { $0 < start + 5_000_000_000 })
            let found = Array(foreign.dates(after: start).prefix(3).prefix { $0 < start + 5_000_000_000 })
            #expect(found == expected, "BELFRY_SEED=\(seed) \(fields) \(policies) \(weeks) in \(zone.identifier)")
        }
    }

    @Test("What is skipped in a search has no date", arguments: [Calendar.Identifier.hebrew, .chinese])
    func skipped(identifier: Calendar.Identifier) throws {
        let calendar = try ForeignCalendars.calendar(identifier)
        let range = 20_000..<24_000
        let days = range.map { (number: $0, date: calendar.date(of: $0), length: calendar.monthLength(of: $0)) }
        func check(_ fields: DateFields, where isRight: (ForeignDate, Int) -> Bool) throws {
            let pattern = try ForeignCalendarPattern(
                matching: [fields],
                calendar: identifier,
                zone: .utc,
                policies: DatePolicies(missingDate: .skip)
            )
            let end = Int64(range.upperBound) * 86_400
            let found = pattern.dates(after: Int64(range.lowerBound) * 86_400 - 1).prefix { $0 < end }
            let expected = days.filter { isRight($0.date, $0.length) }.map { Int64($0.number) * 86_400 }
            #expect(Array(found) == expected, "\(fields)")
        }
        for day in 1...30 { try check(DateFields(day: day)) { date, _ in date.day == day } }
        for day in -30...(-1) { try check(DateFields(day: day)) { date, length in date.day == length + day + 1 } }
        for month in [1, 5, 6, 7, 12] {
            try check(DateFields(month: month, day: 30)) { date, _ in
                date.month == month && !date.isLeapMonth && date.day == 30
            }
            try check(DateFields(month: month, hour: 0)) { date, _ in date.month == month && !date.isLeapMonth }
        }
        for day in [1, 2, 354, 384] { try check(DateFields(dayOfYear: day)) { date, _ in date.dayOfYear == day } }
        try check(DateFields(day: 1, dayOfYear: 1)) { date, _ in date.dayOfYear == 1 }
    }

    @Test("A value that the calendar never has is an error that names it")
    func outOfRange() {
        for (fields, name) in [
            (DateFields(month: 14), "month 14"), (DateFields(hour: 24), "hour 24"), (DateFields(day: 40), "day 40"),
        ] {
            let error = #expect(throws: RecurrenceError.self) {
                try ForeignCalendarPattern(matching: [fields], calendar: .hebrew, zone: .utc)
            }
            #expect(error?.message.contains(name) == true)
        }
        #expect(throws: RecurrenceError.self) {
            try ForeignCalendarPattern(matching: [DateFields(month: 14)], calendar: .hebrew, zone: .utc)
        }
        #expect(throws: Never.self) {
            try ForeignCalendarPattern(matching: [DateFields(month: 13)], calendar: .hebrew, zone: .utc)
        }
    }
}
