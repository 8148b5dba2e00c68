import Belfry
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

private let second: Int64 = 1_000_000
private let start: Int64 = 1_800_000_000 * second

@Suite("The manual clock moves time", .takesTurns)
struct ManualTriggerClockTests {
    @Test("It stands still, and both clocks advance together to the microsecond")
    func movesBothClocks() async throws {
        let clock = ManualTriggerClock(boot: .seconds(5))
        #expect(clock.now() == TriggerInstant(wall: start, boot: 5 * second))
        try await clock.advance(by: .microseconds(1))
        #expect(clock.now() == TriggerInstant(wall: start + 1, boot: 5 * second + 1))
        try await clock.advance(to: Date(timeIntervalSince1970: 1_800_000_060))
        #expect(clock.now() == TriggerInstant(wall: start + 60 * second, boot: 65 * second))
    }

    @Test("Every deadline on the way is met exactly, in order, on both clocks")
    func meetsDeadlines() async throws {
        let clock = ManualTriggerClock(boot: .zero)
        let scheduler = try AlarmScheduler(clock: clock)
        await scheduler.add(.init(name: "boot", boot: 3 * second, every: 4 * second))
        await scheduler.add(.init(name: "wall", wall: start + 5 * second))
        await scheduler.add(.init(name: "far", wall: start + 100 * second))
        try await running(scheduler) { try await clock.advance(by: .seconds(12)) }
        #expect(
            await scheduler.firings == [
                .init(name: "boot", at: 3 * second), .init(name: "wall", at: start + 5 * second),
                .init(name: "boot", at: 7 * second), .init(name: "boot", at: 11 * second),
            ]
        )
        #expect(clock.now().boot == 12 * second)
        #expect(clock.wakes == 4)
    }

    @Test("A deadline exactly at the target is met; what is due already is met by settling")
    func meetsTheTarget() async throws {
        let clock = ManualTriggerClock(boot: .zero)
        let scheduler = try AlarmScheduler(clock: clock)
        await scheduler.add(.init(name: "past", wall: start - second))
        await scheduler.add(.init(name: "edge", boot: 10 * second))
        try await running(scheduler) {
            try await clock.settle()
            #expect(await scheduler.firings.map(\.name) == ["past"])
            try await clock.advance(by: .seconds(10))
            #expect(await scheduler.firings.map(\.name) == ["past", "edge"])
        }
    }

    @Test("advance returns when the work that was begun is done, however long that takes")
    func waitsForWork() async throws {
        let clock = ManualTriggerClock(boot: .zero)
        let done = Mutex(0)
        let gate = AsyncStream<Void>.makeStream()
        let scheduler = try AlarmScheduler(clock: clock) { _ in
            for await _ in gate.stream { break }
            done.withLock { $0 += 1 }
        }
        await scheduler.add(.init(name: "a", boot: second))
        try await running(scheduler) {
            async let advanced: Void = clock.advance(by: .seconds(2))
            gate.continuation.yield()
            try await advanced
            #expect(done.withLock { $0 } == 1)
        }
    }

    @Test("advance waits for the run of an alarm that was made and is not run yet")
    func waitsForTheRun() async throws {
        let clock = ManualTriggerClock(boot: .zero)
        let scheduler = try AlarmScheduler(clock: clock)
        await scheduler.add(.init(name: "a", boot: second))
        let advance = Task { try await clock.advance(by: .seconds(2)) }
        try await running(scheduler) { try await advance.value }
        #expect(await scheduler.firings.count == 1)
    }

    @Test("Several listeners are woken at their own times, in the order of their alarms where these are the same")
    func servesSeveral() async throws {
        let clock = ManualTriggerClock(boot: .zero)
        let log = Mutex<[String]>([])
        let work: @Sendable (AlarmScheduler.Firing) async -> Void = { firing in log.withLock { $0.append(firing.name) }
        }
        let first = try AlarmScheduler(clock: clock, work: work)
        let other = try AlarmScheduler(clock: clock, work: work)
        await first.add(.init(name: "A", boot: 2 * second, every: 2 * second))
        await other.add(.init(name: "B", boot: second, every: second))
        try await running(first, other) { try await clock.advance(by: .seconds(4)) }
        #expect(log.withLock { $0 } == ["B", "A", "B", "B", "A", "B"])
    }

    @Test("Setting the wall clock moves no boot deadline, tells the alarms, and wakes what has come due")
    func setsTheWallClock() async throws {
        let clock = ManualTriggerClock(boot: .zero)
        let scheduler = try AlarmScheduler(clock: clock)
        await scheduler.add(.init(name: "wall", wall: start + 3600 * second))
        await scheduler.add(.init(name: "boot", boot: 10 * second))
        try await running(scheduler) {
            try await clock.set(wall: Date(timeIntervalSince1970: 1_800_003_600))
            #expect(clock.now() == TriggerInstant(wall: start + 3600 * second, boot: 0))
            #expect(await scheduler.firings.map(\.name) == ["wall"])
            #expect(await scheduler.reasons == [.clockSet])
            try await clock.set(wall: Date(timeIntervalSince1970: 0))
            try await clock.advance(by: .seconds(10))
            #expect(await scheduler.reasons == [.clockSet, .clockSet, .due])
            #expect(await scheduler.firings.map(\.name) == ["wall", "boot"])
        }
    }

    @Test("While the machine sleeps nothing fires; then everything that was due does, at once")
    func suspends() async throws {
        let clock = ManualTriggerClock(boot: .zero)
        let scheduler = try AlarmScheduler(clock: clock)
        await scheduler.add(.init(name: "a", boot: second))
        await scheduler.add(.init(name: "b", wall: start + 2 * second))
        try await running(scheduler) { try await clock.suspend(for: .seconds(3600)) }
        #expect(
            await Set(scheduler.firings.map(\.at)) == [3600 * second, start + 3600 * second]
        )
        #expect(clock.wakes == 1)
    }

    @Test("A change of zone is told to every alarm and moves no time")
    func changesZone() async throws {
        let clock = ManualTriggerClock()
        let before = clock.now()
        let scheduler = try AlarmScheduler(clock: clock)
        try await running(scheduler) { try await clock.changeZone(to: .named("Asia/Kathmandu")) }
        #expect(await scheduler.reasons == [.zoneChanged])
        #expect(clock.now() == before)
        #expect(clock.systemZone().identifier == "Asia/Kathmandu")
    }

    @Test("A reboot begins the boot clock anew under another id, and is refused while an alarm runs")
    func reboots() async throws {
        let clock = ManualTriggerClock()
        let bootID = clock.bootID
        let scheduler = try AlarmScheduler(clock: clock)
        try await running(scheduler) {
            try await clock.settle()
            let error = await #expect(throws: ManualClockError.self) { try await clock.reboot() }
            #expect(error?.code == .stillRunning)
        }
        try await clock.reboot(taking: .seconds(60))
        #expect(clock.now() == TriggerInstant(wall: start + 60 * second, boot: 0))
        #expect(clock.bootID != bootID)
    }

    @Test("An alarm that is dropped without a run, or whose run has ended, holds nobody up")
    func forgetsAlarms() async throws {
        let clock = ManualTriggerClock()
        _ = try clock.makeAlarm()
        let scheduler = try AlarmScheduler(clock: clock)
        await scheduler.add(.init(name: "a", boot: 0))
        let run = Task { try await scheduler.run() }
        run.cancel()
        try await run.value
        let fired = await scheduler.firings.count
        try await clock.advance(by: .seconds(1))
        #expect(await scheduler.firings.count == fired)
    }
}
