import Belfry
import BelfrySchedules
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@Suite("Alarms of random events against a simple oracle", .takesTurns)
struct CalendarAlarmPropertyTests {
    private static let start = RandomEvent.date(of: 0, in: .gmt)
    private static let horizon = RandomEvent.date(of: 348 * 86_400, in: .gmt)

    @Test("Each alarm fires at the dates that are found by going through all days")
    func firings() throws {
        for number in 0..<200 as Range<UInt64> {
            let seed = RandomSeed.current &+ number
            var random = SeededGenerator(seed: seed)
            let event = RandomEvent(&random)
            let expected = event.firings.mapValues { dates in Set(dates.filter { $0 < Self.horizon }).sorted() }
            let found = try Self.firings(of: event.text)
            #expect(found == expected, "BELFRY_SEED=\(seed)\n\(event.text)")
            if found != expected { return }
        }
    }

    /// The firings of each entry, by its identifier.
    private static func firings(of text: String) throws -> [String: [Date]] {
        var firings: [String: [Date]] = [:]
        for entry in try Reading.schedule(text).entries {
            let trigger = try entry.requests(beginningAt: start, in: Reading.berlin).first?.trigger
            var dates: [Date] = []
            while let next = trigger?.nextTriggerDate(after: dates.last ?? start, in: Reading.berlin), next < horizon {
                dates.append(next)
            }
            firings[entry.id ?? ""] = dates
        }
        return firings
    }
}

/// A day of the year 2026.
private struct Day {
    static let all = zip(1...12, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
        .flatMap { month, length in (1...length).map { (month: month, day: $0, length: length) } }
        .enumerated().map { Day(index: $0, month: $1.month, day: $1.day, length: $1.length) }

    let index: Int
    let month: Int
    let day: Int
    /// The number of days in the month.
    let length: Int

    /// 0 is Monday; the year begins on a Thursday.
    var weekday: Int { (index + 3) % 7 }
    var week: Int { (index + 3) / 7 }
    /// The number of the day, and that of its weekday, from the beginning of the month and from its end.
    var numbers: [Int] { [day, day - length - 1] }
    var ordinals: [Int] { [(day - 1) / 7 + 1, -((length - day) / 7 + 1)] }
}

/// An event with changed occurrences, and the firings of its alarms. Times are seconds since the beginning of 2026 on
/// the clock of the event.
private struct RandomEvent {
    private enum Form: CaseIterable {
        case utc, zoned, floating, date

        func value(_ time: Int) -> String {
            let day = Day.all[time / 86_400]
            let date = String(format: "2026%02d%02d", day.month, day.day)
            let clock = String(format: "T%02d%02d00", time / 3600 % 24, time / 60 % 60)
            return self == .date ? date : date + clock + (self == .utc ? "Z" : "")
        }

        func line(_ name: String, _ time: Int) -> String {
            let parameter = self == .zoned ? ";TZID=Europe/Berlin" : self == .date ? ";VALUE=DATE" : ""
            return "\(name)\(parameter):\(value(time))"
        }
    }

    private(set) var text = ""
    private(set) var firings: [String: [Date]] = [:]

    /// Events are in the daytime or begin at midnight, where no clock change is.
    static func date(of time: Int, in zone: TimeZone) -> Date {
        let local = Date(timeIntervalSince1970: 1_767_225_600 + Double(time))
        let guess = local.addingTimeInterval(-Double(zone.secondsFromGMT(for: local)))
        return local.addingTimeInterval(-Double(zone.secondsFromGMT(for: guess)))
    }

    init(_ random: inout SeededGenerator) {
        let form = random.pick(Form.allCases)
        func timeOfDay(_ random: inout SeededGenerator) -> Int {
            form == .date ? 0 : random.number(9...13) * 3600 + random.pick([0, 1800])
        }
        let time = timeOfDay(&random)
        var days = [random.pick(Array(Day.all[40..<270]))]
        var lines: [String] = []
        if random.chance(80) { (days, lines) = Self.rule(form, from: days[0], &random) }
        let start = days[0].index * 86_400 + time
        var occurrences = Set(days.map { $0.index * 86_400 + time })
        if random.chance(30) {
            for _ in 0..<random.number(1...3) {
                let added = random.number(days[0].index...340) * 86_400 + timeOfDay(&random)
                occurrences.insert(added)
                lines.append(form.line("RDATE", added))
            }
        }
        let hasRule = !lines.isEmpty
        if hasRule, random.chance(40) {
            let some = occurrences.sorted()
            for excluded in [start + 86_400] + (0..<random.number(1...4)).map({ _ in random.pick(some) }) {
                occurrences.remove(excluded)
                lines.append(form.line("EXDATE", excluded))
            }
        }

        let (trigger, offsetDays, offsetSeconds) = random.pick([
            ("-PT15M", 0, -900), ("PT0S", 0, 0), ("-P1D", -1, 0), ("-PT24H", 0, -86_400), ("-P1DT2H30M", -1, -9_000),
            ("PT1H", 0, 3_600), ("P1W", 7, 0),
        ])
        let (isFromEnd, hasEnd) = (random.chance(40), random.chance(50))
        let (length, duration) = form == .date ? (2 * 86_400, "P2D") : (7_200, "PT2H")
        func event(_ time: Int, _ lines: [String]) -> [String] {
            let end = hasEnd ? form.line("DTEND", time + length) : "DURATION:\(duration)"
            let alarm = ["BEGIN:VALARM", "TRIGGER\(isFromEnd ? ";RELATED=END" : ""):\(trigger)", "END:VALARM"]
            return ["BEGIN:VEVENT", "UID:u", form.line("DTSTART", time), end] + lines + alarm + ["END:VEVENT"]
        }
        let zone = form == .utc ? TimeZone.gmt : TimeZone(identifier: "Europe/Berlin")!
        func firing(_ time: Int) -> Date {
            // No clock change is between the beginning and the end, unless they are days.
            Self.date(of: time + (isFromEnd ? length : 0) + offsetDays * 86_400, in: zone)
                .addingTimeInterval(Double(offsetSeconds))
        }
        func anyMove(_ random: inout SeededGenerator) -> Int {
            random.number(-2...2) * 86_400 + (form == .date ? 0 : random.number(-4...4) * 3600)
        }

        var events = event(start, lines)
        var changeable: [Int] { occurrences.filter { $0 < 340 * 86_400 }.sorted() }
        if hasRule, random.chance(30), let single = changeable.randomElement(using: &random) {
            let moved = single + anyMove(&random)
            occurrences.remove(single)
            events += event(moved, [form.line("RECURRENCE-ID", single)])
            firings["u/\(form.value(single))/1"] = [firing(moved)]
        }
        if hasRule, random.chance(30), let turn = changeable.randomElement(using: &random) {
            let move = anyMove(&random)
            let rest = occurrences.filter { $0 >= turn }
            occurrences.subtract(rest)
            events += event(turn + move, [form.line("RECURRENCE-ID;RANGE=THISANDFUTURE", turn)])
            firings["u/\(form.value(turn))/1"] = rest.map { firing($0 + move) }
        }
        firings["u/1"] = occurrences.map(firing)
        text = (["BEGIN:VCALENDAR"] + events + ["END:VCALENDAR"]).joined(separator: "\n")
    }

    /// Returns the days of a rule, with its line. It counts from a day that is before the first of them, or is it.
    private static func rule(_ form: Form, from base: Day, _ random: inout SeededGenerator) -> ([Day], [String]) {
        let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        let frequency = random.pick(["DAILY", "WEEKLY", "MONTHLY"])
        let interval = random.number(1...3)
        var text = "RRULE:FREQ=\(frequency);INTERVAL=\(interval)"
        var (weekdays, monthDays): ([Int], [Int]) = ([], [])
        var ordinal: Int?
        if random.chance(50) {
            weekdays = (0..<random.number(1...3)).map { _ in random.below(7) }
            if frequency == "MONTHLY", random.chance(60) { ordinal = random.pick([1, 2, 4, -1, -2]) }
            text += ";BYDAY=" + weekdays.map { (ordinal.map { "\($0)" } ?? "") + names[$0] }.joined(separator: ",")
        }
        if frequency != "WEEKLY", random.chance(40) {
            monthDays = (0..<random.number(1...4)).map { _ in random.pick([1, 5, 13, 15, 28, 29, 30, 31, -1, -2, -31]) }
            text += ";BYMONTHDAY=" + monthDays.map { "\($0)" }.joined(separator: ",")
        }
        let isOpen = weekdays.isEmpty && monthDays.isEmpty
        var days = Day.all[base.index...].filter { day in
            let (period, fitsStart): (Int, Bool) =
                switch frequency {
                case "DAILY": (day.index - base.index, true)
                case "WEEKLY": (day.week - base.week, day.weekday == base.weekday)
                default: (day.month - base.month, day.day == base.day)
                }
            return period % interval == 0 && (fitsStart || !isOpen)
                && (weekdays.isEmpty || weekdays.contains(day.weekday))
                && (ordinal == nil || day.ordinals.contains { $0 == ordinal })
                && (monthDays.isEmpty || day.numbers.contains { monthDays.contains($0) })
        }
        guard let first = days.first, first.index < 300 else { return rule(form, from: base, &random) }
        if random.chance(70) {
            days = Array(days.prefix(random.number(1...30)))
            let last = days[days.count - 1].index * 86_400 + 86_340
            let until = form == .zoned ? Form.utc.value(last) : form.value(last)
            text += random.chance(50) ? ";COUNT=\(days.count)" : ";UNTIL=\(until)"
        }
        return (days, [text])
    }
}
