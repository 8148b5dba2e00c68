import CBenchmarkLoops
import Foundation
import Synchronization

@testable import Belfry

/// How late 400 real firings are with a million pending, against a loop of timerfd and epoll in C.
enum LatenessBenchmark {
    private static let count = blocks * perBlock
    private static let blocks = Effort.rounds(8)
    private static let perBlock = 50
    /// From one firing to the next, in microseconds: long enough that one does not wait for another.
    private static let step: Int64 = 20_000
    private static let lead: Int64 = 300_000

    static func run(_ report: inout BenchmarkReport) throws {
        let backend = ClockedBackend()
        let measured = try waiting {
            let center = NoticeCenter(app: AppIdentity(id: "org.example.Benchmark"), backend: backend)
            return try await center.run { center in
                try await addPending(to: center)
                var theirs: [Int64] = []
                var alone: [Int64] = []
                for block in 0..<blocks {
                    try await fireBlock(block, center, backend)
                    theirs += try await onThread { try loopBlock() }
                    alone += try await AlarmAlone.lateness(of: perBlock, step: step, lead: lead)
                }
                return (theirs: theirs, alone: alone)
            }
        }
        let ours = backend.lateness
        guard ours.count == count, let earliest = ours.min(), earliest >= 0 else {
            throw BenchmarkFault(
                description: "\(ours.count) of \(count) were delivered, one of them \(-(ours.min() ?? 0)) µs early."
            )
        }
        for (part, word, bound) in [(0.5, "median", 2.0), (0.99, "p99", 1.7)] {
            let (our, their) = (quantile(ours, part), quantile(measured.theirs, part))
            report.add(
                .within(
                    bound,
                    "lateness of 400 firings through a center, a million pending: \(word)",
                    our,
                    "µs",
                    against: "timerfd and epoll in C",
                    their
                )
            )
            report.add(
                .less(
                    "lateness of 400 wake-ups of the alarm alone: \(word)",
                    quantile(measured.alone, part),
                    "µs",
                    against: "timerfd and epoll in C",
                    their
                )
            )
        }
        report.note(
            "Lateness ends, for a center on the system's clock with a store in memory, when its backend is asked to show the "
                + "notice; for the loop in C when epoll has returned and the clock is read; for the alarm when its listener is "
                + "woken. In alternation, 50 firings each, 20 ms apart; none of them was early."
        )
    }

    private static func quantile(_ values: [Int64], _ part: Double) -> Double {
        let sorted = values.sorted()
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))])
    }

    /// Due in a year, at any second of a day.
    private static func addPending(to center: NoticeCenter) async throws {
        let year = Date().addingTimeInterval(365 * 86_400)
        for start in stride(from: 0, to: Effort.count(1_000_000), by: 1_000) {
            try await center.add(
                (start..<start + 1_000).map { number in
                    NoticeRequest(
                        id: SampleRequests.identifier(number),
                        content: SampleRequests.content(number),
                        trigger: DateTrigger(date: year.addingTimeInterval(Double(number * 7_919 % 86_400)))
                    )
                }
            )
        }
    }

    private static func fireBlock(_ block: Int, _ center: NoticeCenter, _ backend: ClockedBackend) async throws {
        let begin = Date().addingTimeInterval(Double(lead) / 1e6)
        try await center.add(
            (0..<perBlock).map { number in
                NoticeRequest(
                    id: "real \(block) \(number)",
                    content: SampleRequests.content(number),
                    trigger: DateTrigger(date: begin.addingTimeInterval(Double(Int64(number) * step) / 1e6))
                )
            }
        )
        await backend.delivered((block + 1) * perBlock)
    }

    private static func loopBlock() throws -> [Int64] {
        let begin = benchmark_boot_nanoseconds() + lead * 1_000
        let deadlines = (0..<Int64(perBlock)).map { begin + $0 * step * 1_000 }
        var woke = [Int64](repeating: 0, count: perBlock)
        let status = benchmark_epoll_wait(deadlines, &woke, perBlock)
        guard status == 0 else { throw BenchmarkFault(description: "the loop in C failed with error \(-status)") }
        return zip(woke, deadlines).map { ($0 - $1) / 1_000 }
    }

    /// On a thread of its own: the loop blocks.
    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try work() }) }.start()
        }
    }
}

/// The system's alarm with a listener that does nothing but read the clock.
private final class AlarmAlone: WakeListener {
    private struct State {
        var deadlines: ArraySlice<Int64>
        var lateness: [Int64] = []
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let clock = SystemTriggerClock()
    private let alarm: any WakeAlarm
    private let state: Mutex<State>

    private init(_ deadlines: [Int64]) throws {
        alarm = try clock.makeAlarm()
        state = Mutex(State(deadlines: deadlines[...]))
    }

    /// Microseconds.
    static func lateness(of count: Int, step: Int64, lead: Int64) async throws -> [Int64] {
        let begin = SystemTriggerClock().now().boot + lead
        let listener = try AlarmAlone((0..<Int64(count)).map { begin + $0 * step })
        listener.armNext()
        let run = Task { try await listener.alarm.run(waking: listener) }
        await listener.done()
        run.cancel()
        try await run.value
        return listener.state.withLock { $0.lateness }
    }

    private func armNext() {
        alarm.set(state.withLock { $0.deadlines.first }.flatMap { WakeDeadline(wall: nil, boot: $0) })
    }

    private func done() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if !state.deadlines.isEmpty { state.waiter = continuation }
                return state.deadlines.isEmpty
            }
            if isDone { continuation.resume() }
        }
    }

    func woke(_ reason: WakeReason) {
        let now = clock.now().boot
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard reason == .due, let deadline = state.deadlines.popFirst() else { return nil }
            state.lateness.append(now - deadline)
            guard state.deadlines.isEmpty else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        armNext()
        waiter?.resume()
    }

    func processedWakeUps() async {}
    func quiet() async {}
}
