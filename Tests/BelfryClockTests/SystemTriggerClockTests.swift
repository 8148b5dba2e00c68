import BelfryTestSupport
import Foundation
import Testing

@testable import Belfry

private let millisecond: Int64 = 1000

@Suite("The system's clock", .takesTurns, .timeLimit(.minutes(5)))
struct SystemTriggerClockTests {
    private let clock = SystemTriggerClock()

    enum Side: CaseIterable { case wall, boot }

    private func deadline(_ side: Side, in microseconds: Int64) -> WakeDeadline? {
        let now = clock.now()
        return side == .wall
            ? WakeDeadline(wall: now.wall + microseconds, boot: nil)
            : WakeDeadline(wall: nil, boot: now.boot + microseconds)
    }

    @Test("Reads both clocks as the kernel does, rounded down")
    func readsClocks() {
        var wall = timespec()
        var boot = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        clock_gettime(CLOCK_BOOTTIME, &boot)
        let reading = clock.now()
        let again = clock.now()
        #expect(reading.boot >= Int64(boot.tv_sec) * 1_000_000 + Int64(boot.tv_nsec) / 1000 - 1)
        #expect(again.boot >= reading.boot)
        #expect(abs(reading.wall - Int64(wall.tv_sec) * 1_000_000) < 60_000_000)
    }

    @Test("The boot id is the kernel's, and the same for every clock")
    func readsBootID() {
        #expect(UUID(uuidString: clock.bootID) != nil)
        #expect(SystemTriggerClock().bootID == clock.bootID)
    }

    @Test("Fires at the deadline or after, never before", arguments: Side.allCases)
    func isNeverEarly(side: Side) async throws {
        let alarm = try clock.makeAlarm()
        let log = WakeLog(clock: clock)
        let deadline = try #require(self.deadline(side, in: 50 * millisecond))
        alarm.set(deadline)
        try await running(alarm, waking: log) {
            let wake = try await log.first(.due)
            #expect(deadline.isDue(at: wake.at))
            let late = side == .wall ? wake.at.wall - deadline.wall! : wake.at.boot - deadline.boot!
            print("system clock: fired \(late) µs after its deadline on the \(side) clock")
            // A wrong unit would make it a thousand times the 50 ms; a busy machine takes seconds to wake a thread.
            #expect(late < 30_000_000)
        }
        #expect(log.count(of: .due) == 1)
    }

    @Test("A timer expires a little before a deadline, and the rest is waited for", arguments: Side.allCases)
    func hasHeadStart(side: Side) throws {
        let timer = try AlarmTimer()
        defer { timer.close() }
        // As long as it takes: the machine may be busy for longer than the head start.
        for attempt in 1... {
            try #require(attempt < 1_000)
            let deadline = try #require(self.deadline(side, in: 2 * millisecond))
            _ = try timer.arm(deadline)
            var expiration = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&expiration, 1, -1) == 1)
            let isEarly = !deadline.isDue(at: clock.now())
            timer.waitOut(deadline)
            #expect(deadline.isDue(at: clock.now()))
            if isEarly { break }
        }
    }

    @Test("A near deadline gets no head start, and a far one is not waited for", arguments: Side.allCases)
    func hasNoHeadStart(side: Side) throws {
        let timer = try AlarmTimer()
        defer { timer.close() }
        let deadline = try #require(self.deadline(side, in: millisecond / 2))
        _ = try timer.arm(deadline)
        var expiration = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&expiration, 1, -1) == 1)
        #expect(deadline.isDue(at: clock.now()))
        timer.waitOut(try #require(self.deadline(side, in: 3_600_000 * millisecond)))
        timer.waitOut(try #require(WakeDeadline(wall: .min, boot: nil)))
        timer.waitOut(try #require(WakeDeadline(wall: .max, boot: .max)))
    }

    @Test("Of two deadlines the nearer one fires", arguments: Side.allCases)
    func firesTheNearer(side: Side) async throws {
        let alarm = try clock.makeAlarm()
        let log = WakeLog(clock: clock)
        let now = clock.now()
        let near = 30 * millisecond
        let far = 3_600_000 * millisecond
        alarm.set(
            WakeDeadline(wall: now.wall + (side == .wall ? near : far), boot: now.boot + (side == .boot ? near : far))
        )
        try await running(alarm, waking: log) { _ = try await log.first(.due) }
    }

    @Test("A deadline that has passed fires at once, however far back", arguments: [-1, -3_600_000_000, Int64.min])
    func firesThePast(offset: Int64) async throws {
        let alarm = try clock.makeAlarm()
        let log = WakeLog(clock: clock)
        let now = clock.now()
        alarm.set(WakeDeadline(wall: offset == .min ? .min : now.wall + offset, boot: nil))
        try await running(alarm, waking: log) { _ = try await log.first(.due) }
    }

    @Test("A far deadline is replaced by a near one, and by none", arguments: Side.allCases)
    func isSetAnew(side: Side) async throws {
        let alarm = try clock.makeAlarm()
        let log = WakeLog(clock: clock)
        alarm.set(WakeDeadline(wall: .max, boot: .max))
        try await running(alarm, waking: log) {
            alarm.set(deadline(side, in: 3_600_000 * millisecond))
            alarm.set(deadline(side, in: 20 * millisecond))
            _ = try await log.first(.due)
        }
        // Set while nobody runs it, then taken back, it does not fire in the next run.
        alarm.set(deadline(side, in: 1))
        alarm.set(nil)
        let witness = try clock.makeAlarm()
        let witnessLog = WakeLog(clock: clock)
        witness.set(deadline(side, in: 50 * millisecond))
        try await running(alarm, waking: log) {
            try await running(witness, waking: witnessLog) { _ = try await witnessLog.first(.due) }
        }
        #expect(log.count(of: .due) == 1)
    }

    @Test("The listener sets the next deadline as it wakes, and each is met")
    func firesAgain() async throws {
        let alarm = try clock.makeAlarm()
        let start = clock.now().boot
        let clock = self.clock
        let log = WakeLog(clock: clock) { reason in
            guard reason == .due else { return }
            alarm.set(WakeDeadline(wall: nil, boot: clock.now().boot + 10 * millisecond))
        }
        alarm.set(WakeDeadline(wall: nil, boot: start))
        try await running(alarm, waking: log) { try await log.reached(5, of: .due) }
        let due = log.wakes.filter { $0.reason == .due }
        for (earlier, later) in zip(due, due.dropFirst()) {
            #expect(later.at.boot - earlier.at.boot >= 10 * millisecond)
        }
    }

    @Test("A listener is woken once for a deadline, and again when it has set another")
    func wakesOnce() async throws {
        let alarm = try clock.makeAlarm()
        let log = WakeLog(clock: clock)
        alarm.set(deadline(.boot, in: 0))
        try await running(alarm, waking: log) {
            _ = try await log.first(.due)
            // A second alarm, set later, fires: so the first had its time to misbehave.
            let witness = try clock.makeAlarm()
            let witnessLog = WakeLog(clock: clock)
            witness.set(deadline(.boot, in: 20 * millisecond))
            try await running(witness, waking: witnessLog) { _ = try await witnessLog.first(.due) }
            #expect(log.count(of: .due) == 1)
            alarm.set(deadline(.boot, in: 0))
            try await log.reached(2, of: .due)
        }
    }

    @Test("A second run beside the first is refused, and the alarm can be run again after it")
    func runsOnce() async throws {
        let alarm = try clock.makeAlarm()
        let log = WakeLog(clock: clock)
        alarm.set(deadline(.boot, in: 0))
        try await running(alarm, waking: log) {
            _ = try await log.first(.due)
            let error = await #expect(throws: NoticeError.self) { try await alarm.run(waking: log) }
            #expect(error?.code == .unsupported)
        }
        alarm.set(deadline(.wall, in: 0))
        try await running(alarm, waking: log) { try await log.reached(2, of: .due) }
    }

    @Test("Canceling before the run begins ends it too")
    func endsEarly() async throws {
        let alarm = try clock.makeAlarm()
        let log = WakeLog(clock: clock)
        let run = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await alarm.run(waking: log)
        }
        try await run.value
    }
}
