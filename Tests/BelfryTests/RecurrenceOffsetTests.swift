import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("Alarms before a rule's dates", .takesTurns)
struct RecurrenceOffsetTests {
    @Test(
        "The next one is that of a loop over all dates, across clock changes too",
        arguments: ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "UTC"]
    )
    func likeALoop(zone name: String) throws {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        let zone = try ZoneReference.named(name).rules(or: .utc)
        // In Apia the 30th of December 2011 never was.
        let starts = ["2026-03-26T00:00:00Z", "2026-10-22T00:00:00Z", "2011-12-27T00:00:00Z", "2026-07-01T00:00:00Z"]
        for start in try starts.map({ try Date($0, strategy: .iso8601) }) {
            let rule = RecurrenceTrigger.Rule.rrule("FREQ=MINUTELY;INTERVAL=37")
            let dates = try RecurrenceTrigger(rule, zone: .named(name), starting: start)
                .previewOccurrences(600, after: start.addingTimeInterval(-1), in: zone)
            try #require(dates.count == 600)
            for offset in [
                RecurrenceTrigger.Offset(days: -1), .init(days: -2, seconds: -5_400), .init(days: 1),
                .init(seconds: -900),
                .init(seconds: 86_400), .init(days: 3, seconds: 60),
            ] {
                let trigger = try RecurrenceTrigger(rule, zone: .named(name), starting: start, offset: offset)
                let firings = dates.compactMap { offset.applied(to: $0, in: zone) }
                for _ in 0..<40 {
                    let after = start.addingTimeInterval(Double(Int.random(in: 0...(6 * 86_400), using: &random)))
                    let context = TriggerContext(zone: zone)
                    // The first of the later alarms, which are not in the order of the dates.
                    let expected = firings.filter { $0 > after }.min()
                    let next = trigger.nextDate(after: after, in: context)
                    #expect(next == expected, "seed \(seed), \(name), \(offset), after \(after)")
                }
            }
        }
    }

    @Test("Where a clock change swaps alarms, none is lost") func swapped() throws {
        let trigger = try RecurrenceTrigger(
            .rrule(
                "DTSTART;TZID=Europe/Berlin:20270329T023000\nRRULE:FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30;COUNT=4"
            ),
            offset: RecurrenceTrigger.Offset(days: -1)
        )
        let start = try Date("2027-03-01T00:00:00Z", strategy: .iso8601)
        // The alarm at 2:30 on the 28th is at 3:30, behind that at 3:00, and with the one at 3:30.
        let expected = try ["2027-03-28T01:00:00Z", "2027-03-28T01:30:00Z", "2027-03-29T00:00:00Z"]
            .map { try Date($0, strategy: .iso8601) }
        #expect(trigger.previewOccurrences(5, after: start, in: .utc) == expected)
    }

    @Test(
        "Days are those of the zone that the rule names, wherever the machine is",
        arguments: [
            .rrule("DTSTART;TZID=America/New_York:20270101T090000\nRRULE:FREQ=DAILY"),
            .onCalendar("09:00 America/New_York"),
        ] as [RecurrenceTrigger.Rule]
    )
    func zoneOfTheRule(rule: RecurrenceTrigger.Rule) throws {
        let trigger = try RecurrenceTrigger(rule, offset: RecurrenceTrigger.Offset(days: -1))
        // In New York the clocks are changed on the 14th, in Berlin on the 28th.
        let next = trigger.nextDate(
            after: try Date("2027-03-13T00:00:00Z", strategy: .iso8601),
            in: TriggerContext(zone: try .named("Europe/Berlin"))
        )
        #expect(next == (try Date("2027-03-13T14:00:00Z", strategy: .iso8601)), "9:00 in New York")
    }

    @Test("Start and end bound the dates of the rule, not the firings") func bounds() throws {
        let hour = 3_600.0
        let trigger = try RecurrenceTrigger(
            .cron("0 8 * * *"),
            zone: .named("UTC"),
            starting: World.start.addingTimeInterval(24 * hour),
            until: World.start.addingTimeInterval(72 * hour),
            offset: RecurrenceTrigger.Offset(days: -1)
        )
        let firings = trigger.previewOccurrences(5, after: World.start, in: .utc)
        #expect(firings == [8, 32].map { World.start.addingTimeInterval($0 * hour) })
    }

    @Test("A rule with a date each second is not walked through for a day") func dense() throws {
        let start = World.start
        let trigger = try RecurrenceTrigger(
            .rrule("FREQ=SECONDLY"),
            zone: .named("Europe/Berlin"),
            starting: start,
            offset: RecurrenceTrigger.Offset(days: -1)
        )
        let time = try processorTime(leastOf: 3) {
            let dates = trigger.previewOccurrences(
                5,
                after: start,
                in: try ZoneReference.named("Europe/Berlin").rules(or: .utc)
            )
            #expect(dates == (1...5).map { start.addingTimeInterval(Double($0)) })
        }
        #expect(time < .milliseconds(100))
    }
}
