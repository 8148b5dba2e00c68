import BelfryTestSupport
import Foundation
import Testing

@testable import Belfry

/// In processes of their own, since they count what a whole process does.
@Suite("The system's clock costs nothing when nothing is due", .takesTurns, .timeLimit(.minutes(5)))
struct SystemClockCostTests {
    @Test("Alarms that wait for an hour, or for the clock alone, wake no thread")
    func causesNoWakeUps() async {
        await #expect(processExitsWith: .success) {
            let clock = SystemTriggerClock()
            let now = clock.now()
            let hour: Int64 = 3_600_000_000
            let deadlines = [
                nil, WakeDeadline(wall: now.wall + hour, boot: nil), WakeDeadline(wall: nil, boot: now.boot + hour),
            ]
            var runs: [Task<Void, any Error>] = []
            for deadline in deadlines {
                let alarm = try clock.makeAlarm()
                alarm.set(deadline)
                // One real wake each, so that what is measured is an alarm in use.
                let log = WakeLog(clock: clock) { _ in alarm.set(deadline) }
                alarm.set(WakeDeadline(wall: nil, boot: 0))
                runs.append(Task { try await alarm.run(waking: log) })
                _ = try await log.first(.due)
            }
            // The one tick that remains is not the clock's: libdispatch looks once a second, on its manager thread, at
            // the pool that runs Swift's tasks (src/event/workqueue.c), in every program that has begun a task.
            var quietest = Int.max
            // On a slow machine a second of sleep is a long one, which may have two ticks.
            for _ in 0..<30 where quietest > 1 {
                let before = otherThreadsSwitches()
                usleep(1_000_000)
                quietest = min(quietest, otherThreadsSwitches() - before)
            }
            print("system clock: \(quietest) voluntary context switches in a second of waiting")
            #expect(quietest <= 1, "\(quietest) context switches in the quietest second")
            for run in runs { run.cancel() }
            for run in runs { try await run.value }
        }
    }

    @Test("A program that is over at once has opened no watch of the zone, whose closing takes the kernel 10 to 20 ms")
    func opensNoWatchAtOnce() async {
        await #expect(processExitsWith: .success) {
            let alarm = try SystemTriggerClock().makeAlarm()
            let targets = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            }
            try withExtendedLifetime(alarm) { try #require(!targets.contains("anon_inode:inotify")) }
        }
    }

    @Test("Every descriptor is closed at the end of a run, and when an alarm is dropped without one")
    func closesDescriptors() async {
        await #expect(processExitsWith: .success) {
            let clock = SystemTriggerClock(zones: ZoneWatch(["/etc"]))
            func open() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1 }
            func use() async throws {
                let alarm = try clock.makeAlarm()
                _ = try clock.makeAlarm()
                let log = WakeLog(clock: clock)
                alarm.set(WakeDeadline(wall: nil, boot: 0))
                try await running(alarm, waking: log) { _ = try await log.first(.due) }
            }
            // What alarms share is kept open by one that is there throughout: the watch of the zone is closed behind
            // the back of whoever drops the last alarm.
            let keeper = try clock.makeAlarm()
            // The first use opens what the process keeps (the queue's epoll).
            try await use()
            let before = open()
            let count = 50
            for _ in 0..<count { try await use() }
            // One that a use leaves open would be so many more. Fewer are libdispatch's, which opens a timer for each
            // kind of time as it needs one, at any moment (src/event/event_epoll.c).
            let left = open() - before
            #expect(left < count, "\(left) descriptors left by \(count) uses")
            withExtendedLifetime(keeper) {}
        }
    }

    @Test("Descriptors that have run out are an error that says so")
    func reportsExhaustion() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let clock = SystemTriggerClock()
            var alarms: [any WakeAlarm] = []
            limit.rlim_cur = 64
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let error = #expect(throws: NoticeError.self) {
                for _ in 0..<64 { alarms.append(try clock.makeAlarm()) }
            }
            #expect(error?.code == .systemFailure)
            #expect(error?.cause != nil)
        }
    }
}

/// How often all threads but this one have gone to sleep.
private func otherThreadsSwitches() -> Int {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    let own = link?.split(separator: "/").last.map(String.init)
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.filter { $0 != own }.reduce(0) { sum, task in
        let status = (try? String(contentsOfFile: "/proc/self/task/\(task)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
}
