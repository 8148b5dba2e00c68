import Belfry
import BelfryTestSupport
import Foundation
import SeededRandom
import Synchronization
import Testing

@testable import BelfryTesting

/// A listener that misbehaves as told.
private actor BadListener: WakeListener {
    enum Fault { case neverQuiet, neverReturns, keepsAsking }
    let fault: Fault
    let alarm: any WakeAlarm
    private let clock: ManualTriggerClock
    private var stuck: [CheckedContinuation<Void, Never>] = []
    private var isLetGo = false
    private(set) var calls = 0

    private let isHopeless: Bool

    init(_ fault: Fault, clock: ManualTriggerClock, isHopeless: Bool = false) throws {
        self.fault = fault
        self.isHopeless = isHopeless
        self.clock = clock
        alarm = try clock.makeAlarm()
        alarm.set(WakeDeadline(wall: nil, boot: 0))
    }

    nonisolated func woke(_ reason: WakeReason) {}

    func processedWakeUps() async {
        calls += 1
        switch fault {
        case .neverReturns: await stay()
        case .neverQuiet: alarm.set(nil)
        case .keepsAsking: break
        }
    }

    func quiet() async {
        if case .neverQuiet = fault, calls > 0 { await stay() }
    }

    private func stay() async {
        guard !isLetGo else { return }
        // From here on, and no sooner: a busy machine takes its time until this listener is reached at all.
        if isHopeless { clock.state.withLock { $0.patience = .zero } }
        await withCheckedContinuation { stuck.append($0) }
    }

    func letGo() {
        isLetGo = true
        for one in stuck { one.resume() }
        stuck = []
    }
}

@Suite("The manual clock never hangs", .takesTurns)
struct ManualTriggerClockBoundsTests {
    private func message(of fault: BadListener.Fault) async throws -> ManualClockError? {
        let clock = ManualTriggerClock(patience: .seconds(3600))
        let listener = try BadListener(fault, clock: clock, isHopeless: true)
        let run = Task { try await listener.alarm.run(waking: listener) }
        let error = await #expect(throws: ManualClockError.self) { try await clock.advance(by: .seconds(1)) }
        run.cancel()
        await listener.letGo()
        try await run.value
        return error
    }

    @Test("A listener that never becomes quiet is named")
    func namesTheLoud() async throws {
        let error = try await message(of: .neverQuiet)
        #expect(error?.code == .notQuiet)
        #expect(error?.message.contains("quiet() of BadListener") == true)
    }

    @Test("A listener that never comes back from being woken is named")
    func namesTheStuck() async throws {
        let error = try await message(of: .neverReturns)
        #expect(error?.code == .notQuiet)
        #expect(error?.message.contains("processedWakeUps() of BadListener has not returned") == true)
    }

    @Test("An alarm that nobody runs is named")
    func namesTheForgotten() async throws {
        let clock = ManualTriggerClock(patience: .milliseconds(50))
        let alarm = try clock.makeAlarm()
        let error = await #expect(throws: ManualClockError.self) { try await clock.settle() }
        #expect(error?.message.contains("nobody runs it") == true)
        withExtendedLifetime(alarm) {}
    }

    @Test("It gives up while the centers' thread is blocked, too")
    func outlastsBlockedThread() async throws {
        let clock = ManualTriggerClock(patience: .milliseconds(50))
        let alarm = try clock.makeAlarm()
        let gate = DispatchSemaphore(value: 0)
        CenterThread.shared.perform { gate.wait() }
        let error = await #expect(throws: ManualClockError.self) { try await clock.settle() }
        gate.signal()
        #expect(error?.code == .notQuiet)
        withExtendedLifetime(alarm) {}
    }

    @Test("A listener that asks for the same instant for ever is stopped")
    func stopsEndlessWakes() async throws {
        let clock = ManualTriggerClock(wakesPerInstant: 1000)
        let listener = try BadListener(.keepsAsking, clock: clock)
        let run = Task { try await listener.alarm.run(waking: listener) }
        let error = await #expect(throws: ManualClockError.self) { try await clock.advance(by: .seconds(1)) }
        #expect(error?.code == .endlessWakes)
        run.cancel()
        try await run.value
        #expect(await listener.calls == 1000)
    }

    @Test("Time doesn't move back, except by setting the wall clock")
    func refusesThePast() async {
        let clock = ManualTriggerClock()
        let before = clock.now()
        for attempt in 0..<3 {
            let error = await #expect(throws: ManualClockError.self) {
                switch attempt {
                case 0: try await clock.advance(by: .seconds(-1))
                case 1: try await clock.advance(to: Date(timeIntervalSince1970: 0))
                default: try await clock.suspend(for: .seconds(-1))
                }
            }
            #expect(error?.code == .intoThePast)
        }
        #expect(clock.now() == before)
    }

    @Test("The end of time is no overflow")
    func survivesTheEndOfTime() async throws {
        let clock = ManualTriggerClock()
        let scheduler = try AlarmScheduler(clock: clock)
        await scheduler.add(.init(name: "never", wall: .max))
        try await running(scheduler) {
            try await clock.advance(to: .distantFuture)
            try await clock.set(wall: .distantPast)
            try await clock.advance(by: .seconds(Int64.max))
        }
    }

    @Test("Canceling ends an advance where it is, and the clock can be used again")
    func isCancellable() async throws {
        let clock = ManualTriggerClock(boot: .zero)
        let listener = try BadListener(.neverReturns, clock: clock)
        let run = Task { try await listener.alarm.run(waking: listener) }
        let advance = Task { try await clock.advance(by: .seconds(1)) }
        let queued = Task { try await clock.advance(by: .seconds(1)) }
        queued.cancel()
        advance.cancel()
        for task in [advance, queued] {
            let error = await #expect(throws: ManualClockError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        run.cancel()
        await listener.letGo()
        try await run.value
        try await clock.advance(by: .seconds(1))
        #expect(clock.now().boot == 1_000_000)
    }

    @Test("Calls from many tasks take turns and add up")
    func takesTurns() async throws {
        let clock = ManualTriggerClock(boot: .zero)
        let scheduler = try AlarmScheduler(clock: clock)
        await scheduler.add(.init(name: "tick", boot: 1_000_000, every: 1_000_000))
        try await running(scheduler) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 { group.addTask { try await clock.advance(by: .seconds(1)) } }
                try await group.waitForAll()
            }
        }
        #expect(clock.now().boot == 50_000_000)
        #expect(await scheduler.firings.map(\.at) == (1...50).map { $0 * 1_000_000 })
    }
}

@Suite("The manual clock is fast and the same each time", .takesTurns)
struct ManualTriggerClockRunsTests {
    /// Five hundred requests once a year and as many twice a year, at seeded phases: 15,000 firings.
    private func tenYears(seed: UInt64) async throws -> [AlarmScheduler.Firing] {
        let clock = ManualTriggerClock(boot: .zero)
        let scheduler = try AlarmScheduler(clock: clock)
        let year: Int64 = 31_556_952_000_000
        var random = SeededGenerator(seed: seed)
        for number in 0..<1000 {
            let phase = Int64.random(in: 1...(year / 2), using: &random)
            if number.isMultiple(of: 2) {
                await scheduler.add(.init(name: "w\(number)", wall: clock.now().wall + phase, every: year))
            } else {
                await scheduler.add(.init(name: "b\(number)", boot: phase, every: year / 2))
            }
        }
        try await running(scheduler) { try await clock.advance(by: .microseconds(10 * year)) }
        return await scheduler.firings
    }

    @Test("Ten years of a thousand requests pass, twice the same")
    func runsTenYears() async throws {
        let seed = RandomSeed.current
        let first = try await tenYears(seed: seed)
        #expect(first.count == 15_000, "seed \(seed)")
        let second = try await tenYears(seed: seed)
        #expect(first == second, "seed \(seed)")
    }
}
