import BelfryRecurrence
import Foundation

@testable import Belfry
@testable import BelfrySQLite

/// The agent as a process of its own: how soon it answers, what it takes of the memory, how often it wakes up.
enum AgentBenchmark {
    private static var belfryd: String? { ProgramBenchmark.folder.map { $0 + "/belfryd" } }

    private static let sizes = [
        (count: 0, megabytes: 14.0, starts: Effort.rounds(40)),
        (count: Effort.count(100_000), megabytes: 150.0, starts: Effort.rounds(20)),
    ]

    static func memoryAndStart(_ report: inout BenchmarkReport) throws {
        guard let belfryd else { return report.note("The agent was not measured: name its folder with --programs.") }
        for (count, megabytes, starts) in sizes {
            let bus = try AgentBus(belfryd)
            defer { bus.end() }
            let pending = "\(Figure.text(Double(count))) pending"
            if count > 0 { try fill(bus.stores + "/" + AgentBus.app, count) }
            // The first start reads the program from the disk.
            _ = try bus.activate()
            try bus.kill()
            var times: [Double] = []
            for round in 1...starts {
                times.append(try bus.activate() * 1e3)
                if round < starts { try bus.kill() }
            }
            times.sort()
            report.add(
                .reported("agent: activation to first reply, \(pending): median", Alternation.median(times), "ms")
            )
            let worst = times[min(times.count - 1, Int((Double(times.count) * 0.99).rounded(.up)) - 1)]
            report.add(.reported("agent: activation to first reply, \(pending): p99", worst, "ms"))
            sleep(Effort.seconds(5))
            let memory = try ProcessFigures.memory(of: try bus.process())
            let figures = [
                ("Rss", memory.resident, true), ("Pss", memory.proportional, true),
                ("private and dirty", memory.privateDirty, false),
            ]
            for (name, bytes, isBound) in figures {
                let work = "agent: memory, \(pending): \(name)"
                let target = "under \(Int(megabytes)) MB"
                report.add(
                    isBound
                        ? .bound(work, bytes / 1e6, "MB", target: target, reached: bytes < megabytes * 1e6)
                        : .reported(work, bytes / 1e6, "MB")
                )
            }
        }
        report.note(
            "The agent is belfryd, built optimized, started by a dbus-daemon of its own from a service file. Activation is from the "
                + "call to the answer of 'NextFireDate' (\(sizes[0].starts) starts with nothing pending, \(sizes[1].starts) with 100,000 in one app's "
                + "store, after one that does not count; p99 of so few is the slowest). Memory is /proc/PID/smaps_rollup 5 s after the last start."
        )
    }

    static func wakeUps(_ report: inout BenchmarkReport) throws {
        guard let belfryd else {
            return report.note("The agent's wake-ups were not measured: name its folder with --programs.")
        }
        let bus = try AgentBus(belfryd)
        defer { bus.end() }
        try fill(bus.stores + "/" + AgentBus.app, 1_000)
        _ = try bus.activate()
        let process = try bus.process()
        sleep(Effort.seconds(35))
        let before = try ProcessFigures.voluntarySwitches(of: process)
        sleep(Effort.seconds(60))
        let count = Double(try ProcessFigures.voluntarySwitches(of: process) - before)
        report.add(
            .bound("agent: wake-ups in a minute with nothing due", count, "1/min", target: "0", reached: count == 0)
        )
        report.note(
            "The agent's wake-ups are the voluntary context switches of all its threads in 60 s, with 1,000 requests pending for "
                + "days, 35 s after its start."
        )
    }

    /// A third each time spans, dates and yearly triggers; none is due within a day.
    private static func request(_ number: Int, _ now: Date) -> NoticeRequest {
        let offset = 86_400 + number * 7_919 % 1_000_000
        let month = Calendar(identifier: .gregorian).component(.month, from: now)
        let trigger: any NoticeTrigger =
            switch number % 3 {
            case 0: IntervalTrigger(after: .seconds(offset))
            case 1: DateTrigger(date: now.addingTimeInterval(Double(offset)))
            default:
                CalendarTrigger(
                    matching: DateFields(
                        month: (month + 5) % 12 + 1,
                        day: 1 + number % 28,
                        hour: offset / 60 % 24,
                        minute: offset % 60
                    ),
                    repeats: true
                )
            }
        return NoticeRequest(
            id: SampleRequests.identifier(number),
            content: SampleRequests.content(number),
            trigger: trigger
        )
    }

    private static func fill(_ folder: String, _ count: Int) throws {
        try waited {
            let store = try await SQLiteRequestStore.open(in: folder)
            let clock = SystemTriggerClock()
            let now = clock.now()
            for start in stride(from: 0, to: count, by: 1_000) {
                try await store.commit(
                    (start..<min(start + 1_000, count)).map { number in
                        let request = request(number, now.date)
                        let anchor = request.trigger is IntervalTrigger ? now.boot : now.wall
                        return .putRequest(request, revision: Int64(number + 1), TriggerProgress(anchor: anchor))
                    }
                )
            }
            try await store.commit([
                .putClockMapping(
                    ClockMapping(bootID: clock.bootID, instant: now, zone: clock.systemZone().identifier)
                )
            ])
            try await store.close()
        }
    }
}
