import BelfryTestSupport
import Foundation
import Testing

@testable import Belfry

/// The machine's clock is one: whoever sets it does so for all tests.
@Suite("The system's clock tells of changes", .takesTurns, .timeLimit(.minutes(5)))
struct SystemClockNewsTests {
    /// Sets the wall clock one nanosecond on, where that is allowed; else says why not.
    private static func setClock() -> Bool {
        typealias Adjust = @convention(c) (UnsafeMutableRawPointer) -> Int32
        guard let symbol = dlsym(nil, "adjtimex") else { return false }
        // struct timex of every 64-bit Linux, which Swift's Glibc leaves out: `modes` first, `time.tv_usec` at 80.
        let change = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 8)
        defer { change.deallocate() }
        change.initializeMemory(as: UInt8.self, repeating: 0, count: 256)
        change.storeBytes(of: 0x0100 | 0x2000, as: UInt32.self)  // ADJ_SETOFFSET | ADJ_NANO
        change.storeBytes(of: 1, toByteOffset: 80, as: Int.self)
        guard unsafeBitCast(symbol, to: Adjust.self)(change) < 0 else { return true }
        print("skipped: this process may not set the clock (\(String(cString: strerror(errno)))); run as root to test")
        return false
    }

    @Test("A wall clock that is set wakes the alarm, whatever it waits for, again and again", arguments: [0, 1, 2, 3])
    func tellsOfSets(case number: Int) async throws {
        let clock = SystemTriggerClock()
        let now = clock.now()
        let hour: Int64 = 3_600_000_000
        let alarm = try clock.makeAlarm()
        alarm.set(
            WakeDeadline(
                wall: number & 1 == 0 ? nil : now.wall + 2 * hour,
                boot: number & 2 == 0 ? nil : now.boot + hour
            )
        )
        let log = WakeLog(clock: clock)
        try await running(alarm, waking: log) {
            for round in 1...3 {
                guard Self.setClock() else { return }
                try await log.reached(round, of: .clockSet)
            }
        }
        #expect(log.count(of: .due) == 0)
    }

    @Test("A set between two settings of the deadline is not lost")
    func losesNoSet() async throws {
        let clock = SystemTriggerClock()
        let alarm = try clock.makeAlarm()
        // Nobody reads the timer yet: the next arming answers ECANCELED, and takes the news with it.
        guard Self.setClock() else { return }
        alarm.set(WakeDeadline(wall: .max, boot: nil))
        let log = WakeLog(clock: clock)
        try await running(alarm, waking: log) { _ = try await log.first(.clockSet) }
    }

    @Test("A deadline is still met after the clock was set")
    func keepsTheDeadline() async throws {
        let clock = SystemTriggerClock()
        let alarm = try clock.makeAlarm()
        let log = WakeLog(clock: clock)
        let deadline = try #require(WakeDeadline(wall: clock.now().wall + 100_000, boot: nil))
        alarm.set(deadline)
        try await running(alarm, waking: log) {
            guard Self.setClock() else { return }
            _ = try await log.first(.clockSet)
            let due = try await log.first(.due)
            #expect(deadline.isDue(at: due.at))
        }
    }

    @Test("Another localtime in the folder wakes the alarm; other files don't")
    func tellsOfZones() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-zone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = SystemTriggerClock(zones: ZoneWatch([folder.path, folder.path + "/missing"]))
        let alarm = try clock.makeAlarm()
        let log = WakeLog(clock: clock)
        try await running(alarm, waking: log) {
            try Data().write(to: folder.appendingPathComponent("hostname"))
            // As systemd-timedated does it: a new link is moved over the old one.
            let link = folder.appendingPathComponent(".localtime.new").path
            try FileManager.default.createSymbolicLink(
                atPath: link,
                withDestinationPath: "/usr/share/zoneinfo/Asia/Kathmandu"
            )
            #expect(rename(link, folder.appendingPathComponent("localtime").path) == 0)
            _ = try await log.first(.zoneChanged)
            // The kernel queues in order: had the other file counted, its news would have come first, or with this.
            #expect(log.count(of: .zoneChanged) == 1)
        }
    }

    @Test("A folder that is not there is no error")
    func livesWithoutFolders() async throws {
        let clock = SystemTriggerClock(zones: ZoneWatch(["/no such folder", ""]))
        let alarm = try clock.makeAlarm()
        let log = WakeLog(clock: clock)
        alarm.set(WakeDeadline(wall: nil, boot: 0))
        try await running(alarm, waking: log) { _ = try await log.first(.due) }
    }
}
