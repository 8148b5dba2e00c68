import Belfry
import BelfryRecurrence
import BelfrySchedules
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@Suite("Everyday recurrences have the dates of the rules that say the same", .takesTurns)
struct EverydayEquivalenceTests {
    private static let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
    private static let zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]

    @Test("The first 50 dates of random ones equal those of an RRULE") func rules() throws {
        let seed = RandomSeed.current
        print("Everyday recurrences, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for round in 0..<300 {
            let zone = ZoneReference.named(random.pick(Self.zones))
            let start = Date(timeIntervalSince1970: Double(random.number(0...2_000_000_000)))
            let (hour, minute) = (random.number(0...23), random.number(0...59))
            let time = TimeOfDay(hour: hour, minute: minute, second: random.number(0...59))
            let (trigger, rule) = Self.calendar(at: time, zone: zone, &random)
            let text = "\(rule);BYHOUR=\(time.hour);BYMINUTE=\(time.minute);BYSECOND=\(time.second)"
            let equivalent = try RecurrenceTrigger(.rrule(text), zone: zone, starting: start)
            let before = start.addingTimeInterval(-1)
            let dates = trigger.previewOccurrences(50, after: before, in: .utc)
            #expect(dates.count == 50)
            #expect(
                dates == equivalent.previewOccurrences(50, after: before, in: .utc),
                "seed \(seed), round \(round): \(text) in \(zone) from \(start.timeIntervalSince1970)"
            )
        }
    }

    private static func calendar(
        at time: TimeOfDay,
        zone: ZoneReference,
        _ random: inout SeededGenerator
    ) -> (CalendarTrigger, String) {
        let (day, month) = (random.number(1...31), random.number(1...12))
        let weekday = random.pick(Weekday.allCases)
        let name = names[weekday.rawValue - 1]
        let nth = random.pick([1, 2, 3, 4, 5, -1])
        switch random.number(0...6) {
        case 0: return (.daily(at: time, zone: zone), "FREQ=DAILY")
        case 1: return (.weekdays(at: time, zone: zone), "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
        case 2:
            let days = Set(Weekday.allCases.filter { _ in random.chance(40) } + [weekday])
            let list = days.map { names[$0.rawValue - 1] }.joined(separator: ",")
            return (.weekly(on: days, at: time, zone: zone), "FREQ=WEEKLY;BYDAY=\(list)")
        case 3:
            return (
                .monthly(on: .day(day), at: time, zone: zone, missingDate: .skip), "FREQ=MONTHLY;BYMONTHDAY=\(day)"
            )
        case 4: return (.monthly(on: .nth(nth, weekday), at: time, zone: zone), "FREQ=MONTHLY;BYDAY=\(nth)\(name)")
        case 5:
            return (
                .yearly(
                    on: CalendarTrigger.DateOfYear(month: month, .day(min(day, 29))),
                    at: time,
                    zone: zone,
                    missingDate: .skip
                ),
                "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(min(day, 29))"
            )
        default:
            let nth = nth == 5 ? 4 : nth
            return (
                .yearly(on: CalendarTrigger.DateOfYear(month: month, .nth(nth, weekday)), at: time, zone: zone),
                "FREQ=YEARLY;BYMONTH=\(month);BYDAY=\(nth)\(name)"
            )
        }
    }

    @Test("So do those of every so many, from up to a day before") func every() throws {
        let seed = RandomSeed.current
        print("Every so many, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let zone = ZoneReference.named(random.pick(Self.zones))
            let time = TimeOfDay(hour: random.number(0...23), minute: random.number(0...59))
            let (unit, frequency) = random.pick([
                (RecurrenceTrigger.Unit.days, "DAILY"), (.weeks, "WEEKLY"), (.months, "MONTHLY"), (.years, "YEARLY"),
            ])
            let count = random.number(1...9)
            func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let day = "\(random.number(1990...2040))\(padded(random.number(1...12)))\(padded(random.number(1...28)))"
            let text =
                "DTSTART:\(day)T\(padded(time.hour))\(padded(time.minute))00\n"
                + "RRULE:FREQ=\(frequency);INTERVAL=\(count)"
            let rule = try RecurrenceTrigger(.rrule(text), zone: zone)
            let past = Date(timeIntervalSince1970: 0)
            let first = try #require(rule.nextTriggerDate(after: past, in: .utc))
            // Less than the shortest day.
            let start = first.addingTimeInterval(-Double(random.number(0...79_000)))
            let trigger = try RecurrenceTrigger.every(count, unit, at: time, zone: zone, starting: start)
            #expect(
                trigger.previewOccurrences(50, after: past, in: .utc)
                    == rule.previewOccurrences(50, after: past, in: .utc),
                "seed \(seed), round \(round): \(text) in \(zone)"
            )
        }
    }

    @Test("A sentence is the same, whichever notation says its dates") func sentences() throws {
        let seed = RandomSeed.current
        print("Sentences, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        for round in 0..<300 {
            let time = TimeOfDay(hour: random.number(0...23), minute: random.number(0...59))
            let zone = ZoneReference.named(random.pick(Self.zones))
            let (trigger, rule) = Self.calendar(at: time, zone: zone, &random)
            let text = "\(rule);BYHOUR=\(time.hour);BYMINUTE=\(time.minute);BYSECOND=0"
            let other = try RecurrenceTrigger(.rrule(text), zone: zone, starting: start)
            for language in ["en", "de", "fr", "es"] {
                let words = try #require(trigger.sentence(in: [language]), "seed \(seed), round \(round): \(text)")
                let sentence = try #require(other.sentence(in: [language]), "seed \(seed), round \(round): \(text)")
                #expect(sentence.hasPrefix(words + ", "), "seed \(seed), round \(round): \(sentence), not \(words)")
                #expect(!sentence.contains("{"))
            }
        }
    }
}
