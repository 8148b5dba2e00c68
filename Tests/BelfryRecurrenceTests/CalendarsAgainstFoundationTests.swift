import BelfryCalendars
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

/// Foundation computes the same calendars with an ICU of its own.
@Suite("The system's ICU against Foundation", .takesTurns)
struct CalendarsAgainstFoundationTests {
    private static let byICU: [Calendar.Identifier] = [
        .buddhist, .coptic, .ethiopicAmeteMihret, .gregorian, .hebrew, .indian, .islamic, .islamicCivil,
        .islamicTabular, .islamicUmmAlQura, .japanese, .persian, .republicOfChina,
    ]
    private let weeks: WeekRules
    private let seed = RandomSeed.current

    init() throws {
        OtherCalendars.enable()
        var generator = SeededGenerator(seed: seed)
        weeks = WeekRules(
            firstWeekday: Int.random(in: 1...7, using: &generator),
            minimumDaysInFirstWeek: Int.random(in: 1...7, using: &generator)
        )
    }

    @Test("A thousand days from 1600 to 2400", arguments: byICU)
    func randomDays(identifier: Calendar.Identifier) throws {
        var generator = SeededGenerator(seed: seed)
        let days = (0..<1_000).map { _ in Int.random(in: -135_140...157_054, using: &generator) }
        let right = try days.filter { try isRight(identifier, on: $0) }
        #expect(right.count > (identifier == .islamic ? 800 : 600), "\(identifier)")
        try compare(identifier, on: right)
    }

    /// Whether Foundation has the day right. ICU 78, as Debian unstable has it, mended what Foundation's has still
    /// wrong.
    private func isRight(_ identifier: Calendar.Identifier, on day: Int) throws -> Bool {
        switch identifier {
        // The years from 1502 on, which begins in March 2123, have their leap days from a table now.
        case .persian: return day < 55_900
        // A few months begin a day apart: ICU computes when the moon is seen, and its versions differ.
        case .islamic:
            let ours = try ForeignCalendars.calendar(identifier)
            return stride(from: day - 390, through: day + 390, by: 30).allSatisfy { day in
                ours.date(of: day).day == Self.calendar(identifier).component(.day, from: Self.noon(of: day))
            }
        // Foundation gives the months from August 2057 and July 2097 on no days at all, and their last day no number.
        case .chinese: return Self.calendar(identifier).component(.day, from: Self.noon(of: day)) > 0
        // Some years have a day too many or too few, and so have those around them.
        case .hebrew:
            let calendar = Self.calendar(identifier)
            return try [-385, 0, 385].allSatisfy { distance in
                let date = Self.noon(of: day + distance)
                let length = calendar.dateInterval(of: .year, for: date).map { Int(($0.duration / 86_400).rounded()) }
                let ours = try ForeignCalendars.calendar(identifier)
                return length == ours.yearLength(of: day + distance)
            }
        default: return true
        }
    }

    private static func calendar(_ identifier: Calendar.Identifier) -> Calendar {
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = .gmt
        return calendar
    }

    private static func noon(of day: Int) -> Date { Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200) }

    @Test("Every third day of the table of the Chinese calendar")
    func chinese() throws {
        var generator = SeededGenerator(seed: seed)
        let first = -25_537 + Int.random(in: 0..<3, using: &generator)
        let days = try stride(from: first, to: 47_875, by: 3).filter { try isRight(.chinese, on: $0) }
        #expect(days.count > 24_400)
        try compare(.chinese, on: days)
    }

    @Test("The Ethiopic years of the world are 5,500 more, which Foundation takes for Gregorian years")
    func yearsOfTheWorld() throws {
        let ours = try ForeignCalendars.calendar(.ethiopicAmeteAlem)
        let other = try ForeignCalendars.calendar(.ethiopicAmeteMihret)
        for day in stride(from: -135_140, to: 157_054, by: 101) {
            let (date, expected) = (ours.date(of: day), other.date(of: day))
            #expect(date.year == expected.year + 5_500)
            #expect(date.month == expected.month && date.day == expected.day)
            #expect(date.dayOfYear == expected.dayOfYear)
        }
    }

    @Test("A Chinese date after the table never comes") func afterTheTable() throws {
        let utc = try ForeignCalendarPattern(matching: [DateFields(month: 1, day: 1)], calendar: .chinese, zone: .utc)
        // From October 2096 on; the last one is 9 February 2100.
        let dates = Array(utc.dates(after: 4_000_000_000))
        #expect(dates.count == 4 && dates.last == 4_105_814_400)
    }

    /// Every field, and how long the months and years are.
    private func compare(_ identifier: Calendar.Identifier, on days: [Int]) throws {
        let ours = try ForeignCalendars.calendar(identifier)
        var theirs = Self.calendar(identifier)
        theirs.firstWeekday = weeks.firstWeekday
        theirs.minimumDaysInFirstWeek = weeks.minimumDaysInFirstWeek
        for day in days {
            let date = Self.noon(of: day)
            let parts = theirs.dateComponents(
                [.era, .year, .month, .day, .weekday, .weekOfMonth, .weekOfYear, .yearForWeekOfYear, .isLeapMonth],
                from: date
            )
            let found = ours.date(of: day)
            let fields: [Int?] = [found.era, found.year, found.month, found.day, found.dayOfYear]
            let dayOfYear = theirs.ordinality(of: .day, in: .year, for: date)
            let expected: [Int?] = [parts.era, parts.year, parts.month, parts.day, dayOfYear]
            #expect(fields == expected, "day \(day), BELFRY_SEED=\(seed) \(weeks)")
            #expect(found.isLeapMonth == (parts.isLeapMonth == true), "day \(day), BELFRY_SEED=\(seed)")
            let own = ForeignDay(day, ours)
            let week = own.weekOfYear(weeks)
            #expect(
                [own.weekday, own.weekOfMonth(weeks), week.week, week.year]
                    == [parts.weekday, parts.weekOfMonth, parts.weekOfYear, parts.yearForWeekOfYear],
                "weeks of day \(day), BELFRY_SEED=\(seed) \(weeks)"
            )
            // Foundation gives the Chinese months from August 2057 and July 2097 on no days at all.
            let monthLength = try #require(theirs.range(of: .day, in: .month, for: date)).count
            #expect(
                [ours.monthLength(of: day), 0].contains(monthLength),
                "month of day \(day), BELFRY_SEED=\(seed)"
            )
            let year = try #require(theirs.dateInterval(of: .year, for: date))
            let yearLength = Int((year.duration / 86_400).rounded())
            #expect(ours.yearLength(of: day) == yearLength, "year of day \(day), BELFRY_SEED=\(seed)")
        }
        func last(_ component: Calendar.Component) -> Int { (theirs.maximumRange(of: component)?.upperBound ?? 0) - 1 }
        #expect(ours.largest.month == last(.month))
        #expect(ours.largest.dayOfYear == last(.dayOfYear))
    }
}
