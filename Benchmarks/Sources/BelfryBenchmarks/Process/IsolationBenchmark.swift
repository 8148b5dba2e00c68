import BelfryRecurrence
import Foundation
import Synchronization

@testable import Belfry

/// What the worst calls of one app cost another app's alarm: how late the centers' thread, which they share, comes to a
/// timer.
enum IsolationBenchmark {
    private static let pendingCount = Effort.count(100_000)
    private static let ruleCount = 100
    private static let limit = 50.0

    static func run(_ report: inout BenchmarkReport) throws {
        let delays = try waiting { try await measured() }
        for (work, delay) in delays {
            report.add(
                .bound(
                    "what one app costs another's alarm: \(work)",
                    delay,
                    "ms",
                    target: "50",
                    reached: delay <= limit
                )
            )
        }
        report.note(
            "The cost is the largest lateness of a timer on the centers' thread that is set every millisecond while the call is "
                + "under way."
        )
    }

    private static func measured() async throws -> [(String, Double)] {
        let clock = MovableClock()
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Busy"),
            backend: ClockedBackend(),
            clock: NoticeCenter.Clock(clock)
        )
        return try await center.run { center in
            let year = Date().addingTimeInterval(365 * 86_400)
            let requests = (0..<pendingCount).map { number in
                NoticeRequest(
                    id: SampleRequests.identifier(number),
                    content: SampleRequests.content(number),
                    trigger: DateTrigger(date: year.addingTimeInterval(Double(number * 7_919 % 86_400)))
                )
            }
            let adding = try await ThreadProbe.delay { _ = try await center.add(requests) }
            let series = NoticeSeries(
                id: "series",
                content: NoticeContent(title: "Series"),
                first: year,
                spacing: .seconds(60),
                count: pendingCount
            )
            let addingSeries = try await ThreadProbe.delay { _ = try await center.add(series) }
            let owned = try await ThreadProbe.delay { _ = try await center.remove("series") }
            let rules = try (0..<ruleCount).map { number in
                NoticeRequest(
                    id: "rule \(number)",
                    title: "Rule",
                    trigger: try RecurrenceTrigger(
                        .rrule("FREQ=DAILY;COUNT=3000;BYHOUR=\(number % 24);BYMINUTE=\(number / 24)"),
                        starting: Date()
                    )
                )
            }
            return [
                ("100,000 requests added", adding),
                ("a series of 100,000 added", addingSeries),
                ("a series of 100,000 removed", owned),
                ("a list of 100,000", try await ThreadProbe.delay { _ = try await center.pending() }),
                ("100 counted rules added", try await ThreadProbe.delay { try await center.add(rules) }),
                (
                    "100 counted rules in a new zone",
                    try await ThreadProbe.delay {
                        clock.move(to: try .named("Asia/Kathmandu"))
                        let engine = center.engine as? EmbeddedEngine
                        engine?.woke(.zoneChanged)
                        await engine?.processedWakeUps()
                    }
                ),
                (
                    "100,000 requests due after a clock change",
                    try await ThreadProbe.delay {
                        clock.advance(by: 366 * 86_400)
                        let engine = center.engine as? EmbeddedEngine
                        engine?.woke(.clockSet)
                        await engine?.processedWakeUps()
                        await center.quiet()
                    }
                ),
                ("100,000 requests removed", try await ThreadProbe.delay { try await center.removeAll() }),
            ]
        }
    }
}

/// A timer every millisecond on the centers' thread, and how late it came at most.
private final class ThreadProbe: Sendable {
    private struct State {
        var worst = Duration.zero
        var isOver = false
    }

    private static let period = Duration.milliseconds(1)
    private let state = Mutex(State())

    /// Milliseconds.
    static func delay(of work: () async throws -> Void) async throws -> Double {
        let probe = ThreadProbe()
        probe.setTimer(.now + period)
        try await work()
        let worst = probe.state.withLock { state in
            state.isOver = true
            return state.worst
        }
        return worst.seconds * 1_000
    }

    private func setTimer(_ deadline: SuspendingClock.Instant) {
        CenterThread.shared.wait(until: deadline) { [self] in
            let now = SuspendingClock.now
            let isOver = state.withLock { state in
                state.worst = max(state.worst, now - deadline)
                return state.isOver
            }
            if !isOver { setTimer(now + Self.period) }
        }
    }
}

/// The system's clock in a zone that can be changed.
private final class MovableClock: TriggerClock {
    private let clock = SystemTriggerClock()
    private let zone = Mutex(ZoneRules.utc)
    private let offset = Atomic<Int64>(0)

    func now() -> TriggerInstant {
        var now = clock.now()
        now.wall += offset.load(ordering: .relaxed)
        return now
    }
    func advance(by seconds: Int) { offset.add(Int64(seconds) * 1_000_000, ordering: .relaxed) }
    var bootID: String { clock.bootID }
    var isSynchronized: Bool { clock.isSynchronized }
    func systemZone() -> ZoneRules { zone.withLock { $0 } }
    func makeAlarm() throws(NoticeError) -> any WakeAlarm { try clock.makeAlarm() }
    func move(to zone: ZoneRules) { self.zone.withLock { $0 = zone } }
}
