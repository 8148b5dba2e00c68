import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Misfires and retries", .takesTurns)
struct MisfireTests {
    private static let daily = CalendarTrigger(matching: DateFields(hour: 8), repeats: true)

    @Test("A repeating request delivers the latest missed occurrence once, the ledger counts the others")
    func latest() async throws {
        try await World.run { world in
            try await world.center.add(.sample("daily", Self.daily))
            try await world.clock.suspend(for: .seconds(5 * 86_400 + 9 * 3_600))
            #expect(world.dues() == [(5 * 24 + 8) * 3_600])
            #expect(try world.recorder.expectDelivery(of: "daily").late == .seconds(3_600))
            #expect(try await world.history() == [.missed, .delivered])
            #expect(try await world.lastDetail(of: "daily", .missed)?.hasPrefix("5 earlier firings") == true)
            #expect(try await world.center.nextFireDate() == World.start.addingTimeInterval((6 * 24 + 8) * 3_600))
        }
    }

    @Test("Skip lets a late firing go, and one-shots end with it; within keeps what is not too late")
    func windows() async throws {
        try await World.run { world in
            for (id, misfire) in [
                ("skip", MisfirePolicy.skip), ("a minute", .deliver(within: .seconds(60))),
                ("an hour", .deliver(within: .seconds(3_600))), ("ever", .deliver),
            ] {
                var request = NoticeRequest.sample(id, .after(.seconds(100)))
                request.misfire = misfire
                try await world.center.add(request)
            }
            try await world.clock.suspend(for: .seconds(161))
            #expect(world.deliveredIDs() == ["an hour", "ever"])
            #expect(try await world.history(of: "skip") == [.missed])
            #expect(try await world.history(of: "a minute") == [.missed])
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("A firing is on time up to two seconds, however short its window is") func punctuality() async throws {
        try await World.run { world in
            for within in [-1.0, 0.0, 1.0] {
                var request = NoticeRequest.sample("\(within)", .after(.seconds(100)))
                request.misfire = .deliver(within: .seconds(within))
                try await world.center.add(request)
            }
            try await world.clock.suspend(for: .seconds(102))
            #expect(world.deliveredIDs() == ["-1.0", "0.0", "1.0"])
        }
    }

    @Test("What came due while the process was gone is delivered at the next start") func stopped() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            try await world.center.add([
                .sample("tea", .after(.seconds(60))), .sample("daily", Self.daily),
                .sample("date", DateTrigger(date: World.start.addingTimeInterval(3_600))),
            ])
        }
        try await clock.advance(by: .seconds(3 * 86_400))
        try await World.run(on: clock, store: store) { world in
            try await world.clock.settle()
            #expect(world.deliveredIDs() == ["tea", "date", "daily"])
            #expect(world.dues(of: "daily") == [(2 * 24 + 8) * 3_600])
            #expect(try await world.pendingIDs() == ["daily"])
        }
    }

    @Test("Without a trigger it is due when it is added: nothing ran for a minute, so skip lets it go")
    func immediate() async throws {
        for isOff in [false, true] {
            let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
            let center = NoticeCenter(
                app: World.app,
                backend: RecorderBackend(),
                store: NoticeStore(store),
                clock: .manual(clock)
            )
            var skip = NoticeRequest.sample("skip")
            skip.misfire = .skip
            try await center.add([skip, .sample("late"), .sample("nil", ImmediateTrigger())])
            if isOff {
                try await clock.reboot(taking: .seconds(60))
            } else {
                try await clock.advance(by: .seconds(60))
            }
            try await World.run(on: clock, store: store) { world in
                try await clock.settle()
                #expect(world.deliveredIDs() == ["late", "nil"])
                #expect(world.recorder.deliveries.map(\.late) == [.seconds(60), .seconds(60)])
                let outcomes = try await world.history(of: "skip")
                #expect(outcomes == [.missed])
            }
        }
    }

    @Test("Many years of missed firings are passed over quickly") func manyMissed() async throws {
        try await World.run { world in
            let everyMinute = CalendarTrigger(matching: DateFields(second: 0), repeats: true)
            try await world.center.add(.sample("minutes", everyMinute))
            try await world.clock.suspend(for: .seconds(20 * 366 * 86_400 + 30))
            #expect(world.deliveredIDs() == ["minutes"])
            #expect(try world.recorder.expectDelivery(of: "minutes").late == .seconds(30))
            #expect(try await world.lastDetail(of: "minutes", .missed)?.hasPrefix("at least 1") == true)
        }
    }

    @Test("A passing failure is retried after 1 s, 2 s, 4 s … and 5 minutes at most, until it succeeds")
    func retries() async throws {
        try await World.run { world in
            world.recorder.failNext(12, with: NoticeError(.noServer, "Nobody there."))
            try await world.center.add(.sample("a"))
            await world.center.quiet()
            var (waits, last, seen) = ([Int](), 0, 1)
            for second in 1...1_500 {
                try await world.clock.advance(by: .seconds(1))
                guard world.recorder.attempts.count > seen else { continue }
                seen = world.recorder.attempts.count
                waits.append(second - last)
                last = second
            }
            #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
            #expect(world.deliveredIDs() == ["a"])
            #expect(world.recorder.attempts.count == 13)
            #expect(try await world.history() == [.retrying, .delivered])
            #expect(world.recorder.attempts.allSatisfy { !$0.isPossiblyRepeated })
        }
    }

    @Test("Retries end with the misfire window, and the ledger has the reason") func retryWindow() async throws {
        try await World.run { world in
            world.recorder.failAll(with: NoticeError(.noServer, "Nobody there."))
            var request = NoticeRequest.sample("a")
            request.misfire = .deliver(within: .seconds(10))
            try await world.center.add(request)
            try await world.clock.advance(by: .seconds(3_600))
            // At 0, 1, 3 and 7 s; the next would be at 15.
            #expect(world.recorder.attempts.count == 4)
            #expect(try await world.history() == [.retrying, .failed])
            #expect(try await world.lastDetail(of: "a", .failed) == "Nobody there.")
            #expect(await world.center.embedded.schedule.nextWake == nil)
        }
    }

    @Test("A retry that a suspend put off beyond the window is missed") func suspendedRetry() async throws {
        try await World.run { world in
            world.recorder.failNext(with: NoticeError(.noServer, "Nobody there."))
            var request = NoticeRequest.sample("a")
            request.misfire = .deliver(within: .seconds(60))
            try await world.center.add(request)
            await world.center.quiet()
            try await world.clock.suspend(for: .seconds(61))
            #expect(world.deliveredIDs() == [])
            #expect(try await world.history() == [.retrying, .missed])
        }
    }

    @Test("A later firing takes the place of one that waits to be retried") func supersededRetry() async throws {
        try await World.run { world in
            world.recorder.removeServer()
            try await world.center.add(.sample("beat", .every(.seconds(400))))
            try await world.clock.advance(by: .seconds(1_300))
            world.recorder.restoreServer()
            try await world.clock.settle()
            #expect(world.dues() == [1_200])
            #expect(try await world.history().filter { $0 == .missed }.count == 2)
        }
    }

    @Test("A clock that was years ahead does not silence repeats, and the ledger says what was forgotten")
    func yearsAhead() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(.sample("daily", Self.daily))
            try await world.clock.set(wall: World.start.addingTimeInterval(3 * 366 * 86_400))
            #expect(world.deliveredIDs() == ["daily"])
            try await world.clock.set(wall: World.start.addingTimeInterval(60))
            #expect(try await world.history(of: "") == [.clockReset])
            #expect(try await world.center.nextFireDate() == World.start.addingTimeInterval(8 * 3_600))
        }
        // And it stays forgotten: a restart plans by what is stored.
        try await World.run(on: clock, store: store) { world in
            #expect(try await world.center.nextFireDate() == World.start.addingTimeInterval(8 * 3_600))
            try await world.clock.advance(by: .seconds(8 * 3_600))
            #expect(world.dues() == [8 * 3_600])
        }
    }

    @Test("A clock that was put right while the process was gone does not silence repeats either")
    func putRightMeanwhile() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            try await world.clock.set(wall: World.start.addingTimeInterval(3 * 366 * 86_400))
            try await world.center.add([.sample("fired", Self.daily), .sample("beat", .every(.seconds(3_600)))])
            try await world.clock.advance(by: .seconds(86_400))
            try await world.center.add(.sample("new", Self.daily))
        }
        try await clock.set(wall: World.start)
        try await clock.reboot(taking: .seconds(60))
        try await World.run(on: clock, store: store) { world in
            let eight = World.start.addingTimeInterval(8 * 3_600)
            #expect(try await world.center.nextFireDate(of: "fired") == eight)
            #expect(try await world.center.nextFireDate(of: "new") == eight)
            // No time has passed as far as the clock tells: the interval goes on where it was.
            let beat = try #require(try await world.center.nextFireDate(of: "beat"))
            #expect(beat.timeIntervalSince(world.clock.date) <= 3_600)
            #expect(try await world.history(of: "").contains(.clockReset))
        }
    }

    @Test("A clock that is put right by days fires nothing again at the next start", arguments: [false, true])
    func putRightByDays(whileRunning: Bool) async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        let daily = CalendarTrigger(matching: DateFields(hour: 9), repeats: true, options: .init(count: 40))
        let right = World.start.addingTimeInterval(31.5 * 86_400)
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(.sample("daily", daily))
            for _ in 0..<31 { try await clock.advance(by: .seconds(86_400)) }
            try await clock.advance(to: right)
            try await clock.set(wall: right.addingTimeInterval(2 * 86_400))
            if whileRunning { try await clock.set(wall: right) }
            #expect(world.deliveredIDs().count == 33)
        }
        if !whileRunning { try await clock.set(wall: right) }
        try await World.run(on: clock, store: store) { world in
            try await clock.settle()
            #expect(world.deliveredIDs() == [])
            // The one that the two days ahead made late.
            #expect(try await world.history(of: "daily").filter { $0 == .missed }.count == 1)
            // 34 dates have been counted, among them the two of the days ahead.
            let pending = try await world.center.pending()
            #expect(pending.map(\.fired) == [34])
            #expect(pending.map(\.next) == [World.start.addingTimeInterval(32 * 86_400 + 9 * 3_600)])
            try await clock.advance(by: .seconds(20 * 86_400))
            #expect(world.deliveredIDs().count == 6)
        }
    }

    @Test("A setback leaves the marks that it does not make wrong: what was missed since is found")
    func marksBehind() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        let weekly = CalendarTrigger(matching: DateFields(weekday: 5, hour: 9), repeats: true)
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(.sample("weekly", weekly))
            try await clock.advance(by: .seconds(86_400))
            #expect(world.dueHours() == [9])
            try await clock.set(wall: World.start.addingTimeInterval(4 * 86_400))
        }
        // Two days back, and off for five days.
        try await clock.set(wall: World.start.addingTimeInterval(2 * 86_400))
        try await clock.reboot(taking: .seconds(60))
        try await World.run(on: clock, store: store) { world in
            try await clock.advance(by: .seconds(60))
            #expect(world.deliveredIDs() == [])
        }
        try await clock.advance(by: .seconds(6 * 86_400))
        try await World.run(on: clock, store: store) { world in
            try await clock.settle()
            #expect(world.dueHours() == [7 * 24 + 9])
        }
    }

    @Test("Within 24 hours the marks stay, and nothing fires twice") func setBackADay() async throws {
        try await World.run { world in
            try await world.center.add(.sample("daily", Self.daily))
            try await world.clock.advance(by: .seconds(9 * 3_600))
            try await world.clock.set(wall: World.start)
            try await world.clock.advance(by: .seconds(10 * 3_600))
            #expect(world.deliveredIDs() == ["daily"])
            #expect(try await world.history(of: "") == [])
        }
    }

    @Test("Events that see the new time before the news of it don't hide a setback") func overtaken() async throws {
        try await World.run { world in
            try await world.center.add(.sample("daily", Self.daily))
            try await world.clock.set(wall: World.start.addingTimeInterval(10 * 86_400))
            // The alarm of another listener is told first, and adds a request.
            try await world.clock.set(wall: World.start)
            try await world.center.add(.sample("other", .after(.seconds(1))))
            #expect(try await world.center.nextFireDate(of: "daily") == World.start.addingTimeInterval(8 * 3_600))
        }
    }

    @Test("Intervals keep their phase over two reboots and restarts between them") func twoReboots() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            try await world.center.add([
                .sample("beat", .every(.seconds(3_600))), .sample("tea", .after(.seconds(9_000))),
            ])
        }
        for _ in 0..<3 {
            try await clock.reboot(taking: .seconds(500))
            for _ in 0..<2 {
                try await World.run(on: clock, store: store) { world in
                    #expect(try await world.center.nextFireDate() == World.start.addingTimeInterval(3_600))
                    try await world.clock.advance(by: .seconds(100))
                }
            }
        }
        try await World.run(on: clock, store: store) { world in
            try await world.clock.advance(to: World.start.addingTimeInterval(10_800))
            #expect(world.dues(of: "beat") == [3_600, 7_200, 10_800])
            #expect(world.dues(of: "tea") == [9_000])
        }
    }
}
