import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import SeededRandom
import Testing

@Suite("Calendar triggers through the center", .takesTurns)
struct CalendarTests {
    private func daily(_ hour: Int, _ minute: Int = 0) -> CalendarTrigger {
        CalendarTrigger(matching: DateFields(hour: hour, minute: minute), repeats: true)
    }

    @Test("Hour 8 is daily at 8:00; several sets fire at their union, each instant once") func union() async throws {
        try await World.run { world in
            let trigger = CalendarTrigger(
                matching: [DateFields(hour: 8), DateFields(weekday: 6, hour: 8), DateFields(weekday: 6, hour: 20)],
                repeats: true
            )
            try await world.center.add(.sample("work", trigger))
            try await world.clock.advance(by: .seconds(3 * 86_400))
            // The 2nd of January 2026 is a Friday.
            #expect(world.dues() == [8, 32, 44, 56].map { $0 * 3_600.0 })
        }
    }

    @Test("Without repeats it fires at the next such instant, once, and is no longer pending") func once()
        async throws
    {
        try await World.run { world in
            let trigger = CalendarTrigger(matching: DateFields(hour: 0), repeats: false)
            #expect(try await world.center.add(.sample("x", trigger)).next == World.start.addingTimeInterval(86_400))
            try await world.clock.advance(by: .seconds(10 * 86_400))
            #expect(world.dues() == [86_400])
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("An out-of-range value is an error that names it") func outOfRange() async throws {
        try await World.run { world in
            for fields in [DateFields(hour: 24), DateFields(minute: 60), DateFields(month: 13), DateFields(day: 32)] {
                let error = await expectError(.invalidComponent) {
                    try await world.center.add(.sample("x", CalendarTrigger(matching: fields, repeats: true)))
                }
                let named = ["24", "60", "13", "32"].contains { error?.message.contains($0) == true }
                #expect(named, "\(error?.message ?? "")")
            }
            await expectError(.unknownZone) {
                try await world.center.add(
                    .sample(
                        "x",
                        CalendarTrigger(
                            matching: DateFields(hour: 8),
                            repeats: true,
                            options: .init(zone: .named("Mars/Olympus"))
                        )
                    )
                )
            }
        }
    }

    @Test("Going east, local times that were jumped over are delivered late, not lost") func east() async throws {
        let tokyo = try ZoneRules.named("Asia/Tokyo")
        try await World.run { world in
            try await world.center.add(.sample("breakfast", daily(8)))
            // 00:00 UTC is 09:00 in Tokyo: 8:00 was jumped over.
            try await world.clock.changeZone(to: tokyo)
            #expect(world.dues() == [-3_600])
            #expect(try await world.center.nextFireDate() == World.start.addingTimeInterval(23 * 3_600))
        }
        try await World.run(at: World.start.addingTimeInterval(3_600)) { world in
            try await world.center.add(.sample("breakfast", daily(8)))
            try await world.clock.advance(by: .seconds(5 * 3_600))
            // 06:00 becomes 15:00. 8:00 lies between, and after the 1:00 at which the request was added.
            try await world.clock.changeZone(to: tokyo)
            #expect(world.dues() == [-3_600])
        }
        try await World.run(at: World.start.addingTimeInterval(-86_400)) { world in
            try await world.center.add(.sample("breakfast", daily(8)))
            try await world.clock.advance(by: .seconds(86_400 + 2 * 3_600))
            #expect(world.dueHours() == [-16])
            // 02:00 UTC becomes 11:00: today's 8:00, at 23:00 UTC yesterday, was jumped over.
            try await world.clock.changeZone(to: tokyo)
            #expect(world.dueHours() == [-16, -1])
            #expect(try world.recorder.expectDelivery(of: "breakfast").late == .seconds(3 * 3_600))
        }
    }

    @Test("Going west, each local date and time fires once") func west() async throws {
        let honolulu = try ZoneRules.named("Pacific/Honolulu")
        try await World.run { world in
            try await world.center.add([.sample("morning", daily(8)), .sample("evening", daily(20))])
            try await world.clock.advance(by: .seconds(9 * 3_600))
            #expect(world.deliveredIDs() == ["morning"])
            // 09:00 becomes 23:00 of the day before.
            try await world.clock.changeZone(to: honolulu)
            try await world.clock.advance(by: .seconds(24 * 3_600))
            // 8:00 of 1 January has fired; 20:00 of that day fires at 06:00 UTC of the 2nd.
            #expect(world.dueHours() == [8, 30])
            // And a small correction of the clock doesn't bring the morning back.
            try await world.clock.set(wall: world.clock.date.addingTimeInterval(-30))
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.dues().count == 2)
        }
    }

    @Test("A fixed zone stays where it is; a floating trigger follows the system's zone") func fixed() async throws {
        let berlin = try ZoneRules.named("Europe/Berlin")
        try await World.run(zone: berlin) { world in
            let fixed = CalendarTrigger(
                matching: DateFields(hour: 8),
                repeats: true,
                options: .init(zone: .named("Asia/Tokyo"))
            )
            try await world.center.add([.sample("fixed", fixed), .sample("floating", daily(8))])
            #expect(try await world.center.nextFireDate(of: "floating") == World.start.addingTimeInterval(7 * 3_600))
            #expect(try await world.center.nextFireDate(of: "fixed") == World.start.addingTimeInterval(23 * 3_600))
            try await world.clock.changeZone(to: .utc)
            #expect(try await world.center.nextFireDate(of: "floating") == World.start.addingTimeInterval(8 * 3_600))
            #expect(try await world.center.nextFireDate(of: "fixed") == World.start.addingTimeInterval(23 * 3_600))
        }
    }

    @Test("A rule that names its zone stays there when the system travels")
    func ruleOfItsOwnZone() async throws {
        let honolulu = try ZoneRules.named("Pacific/Honolulu")
        let rules = try [
            RecurrenceTrigger(.onCalendar("*-*-* *:30 Europe/Berlin")),
            RecurrenceTrigger(.rrule("DTSTART;TZID=Europe/Berlin:20251231T233000\nRRULE:FREQ=HOURLY")),
            RecurrenceTrigger(.rrule("DTSTART:20251231T233000Z\nRRULE:FREQ=HOURLY")),
        ]
        for rule in rules {
            try await World.run { world in
                try await world.center.add(.sample("x", rule))
                try await world.clock.advance(by: .seconds(3 * 3_600))
                try await world.clock.changeZone(to: honolulu)
                try await world.clock.advance(by: .seconds(3 * 3_600))
                #expect(world.dueHours() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], "\(rule.rule)")
            }
        }
        // One that names none follows the system, and its local times don't come back.
        let floating = try RecurrenceTrigger(.cron("30 * * * *"))
        try await World.run { world in
            try await world.center.add(.sample("x", floating))
            try await world.clock.advance(by: .seconds(3 * 3_600))
            try await world.clock.changeZone(to: honolulu)
            try await world.clock.advance(by: .seconds(10 * 3_600 + 1_800))
            #expect(world.dueHours() == [0.5, 1.5, 2.5, 13.5])
        }
    }

    @Test("A zone that changed before the center ran, or while it was gone, is heeded") func zoneWhileGone()
        async throws
    {
        let berlin = try ZoneRules.named("Europe/Berlin")
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(
                .sample("breakfast", CalendarTrigger(matching: DateFields(hour: 8), repeats: true))
            )
            try await world.clock.advance(by: .seconds(8 * 3_600))
        }
        let center = NoticeCenter(
            app: World.app,
            backend: RecorderBackend(),
            store: NoticeStore(store),
            clock: .manual(clock)
        )
        _ = try await center.pending()
        try await clock.changeZone(to: berlin)
        try await center.run { center in
            // 8:00 of the first has fired in UTC; tomorrow's is at 7:00 UTC.
            let next = try await center.nextFireDate()
            #expect(next == World.start.addingTimeInterval(31 * 3_600))
        }
        try await clock.changeZone(to: .utc)
        try await World.run(on: clock, store: store) { world in
            let next = try await world.center.nextFireDate()
            #expect(next == World.start.addingTimeInterval(32 * 3_600))
        }
    }

    @Test("Through the clock changes of a year, daily fires once a day and hourly every real hour")
    func daylightSaving() async throws {
        let berlin = try ZoneRules.named("Europe/Berlin")
        // 28 March 2026, 12:00 UTC; clocks go forward on the 29th at 02:00 local time.
        let start = Date(timeIntervalSince1970: 1_774_699_200)
        try await World.run(at: start, zone: berlin) { world in
            try await world.center.add([
                .sample("half past two", daily(2, 30)),
                .sample("hourly", CalendarTrigger(matching: DateFields(minute: 30), repeats: true)),
            ])
            try await world.clock.advance(by: .seconds(2 * 86_400))
            func hours(_ id: String) -> [Double] {
                world.recorder.deliveries(of: id).map { $0.dueDate.timeIntervalSince(start) / 3_600 }
            }
            // 2:30 is jumped over and becomes 3:30, 01:30 UTC; the day after it is at 00:30 UTC.
            #expect(hours("half past two") == [13.5, 36.5])
            let everyHour = Array(stride(from: 0.5, to: 48, by: 1))
            #expect(hours("hourly") == everyHour)
        }
        // 24 October 2026, 12:00 UTC; clocks go back on the 25th at 03:00.
        let autumn = Date(timeIntervalSince1970: 1_792_843_200)
        try await World.run(at: autumn, zone: berlin) { world in
            try await world.center.add([
                .sample("half past two", daily(2, 30)),
                .sample("hourly", CalendarTrigger(matching: DateFields(minute: 30), repeats: true)),
            ])
            try await world.clock.advance(by: .seconds(86_400))
            func hours(_ id: String) -> [Double] {
                world.recorder.deliveries(of: id).map { $0.dueDate.timeIntervalSince(autumn) / 3_600 }
            }
            #expect(hours("half past two") == [12.5])
            #expect(hours("hourly") == (0..<24).map { Double($0) + 0.5 })
        }
    }

    @Test("The clock goes back and forth within a day: no due time fires twice, none is lost") func backAndForth()
        async throws
    {
        let seed = RandomSeed.current
        try await World.run { world in
            var random = SeededGenerator(seed: seed)
            try await world.center.add(
                .sample("hourly", CalendarTrigger(matching: DateFields(minute: 0), repeats: true))
            )
            try await world.center.add(.sample("beat", .every(.seconds(600))))
            let begin = world.clock.now().boot
            for _ in 0..<60 {
                try await world.clock.advance(by: .seconds(random.number(0...5_000)))
                let jump = Double(random.number(-10_000...10_000))
                let target = World.start.addingTimeInterval(
                    max(0, world.clock.date.timeIntervalSince(World.start) + jump)
                )
                try await world.clock.set(wall: target)
            }
            let hours = world.dues(of: "hourly")
            #expect(zip(hours, hours.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed): \(hours)")
            #expect(hours.allSatisfy { $0.truncatingRemainder(dividingBy: 3_600) == 0 }, "seed \(seed)")
            // The boot clock never jumped: every step of the interval fired, once.
            let elapsed = (world.clock.now().boot - begin) / 600_000_000
            #expect(world.dues(of: "beat").count == Int(elapsed), "seed \(seed)")
        }
    }
}
