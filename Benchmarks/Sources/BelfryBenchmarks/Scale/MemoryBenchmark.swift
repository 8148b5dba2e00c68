import BelfryRecurrence
import CBenchmarkLoops

@testable import Belfry

/// What a pending request takes in memory: the index apart from the content, which stays in the store.
enum MemoryBenchmark {
    static let count = Effort.count(1_000_000)

    static func run(_ report: inout BenchmarkReport) throws {
        let timers = bytesOfTimers()
        for (kind, make) in [("mixed", SampleRequests.mixed), ("calendar", SampleRequests.calendar)] {
            var row = BenchmarkRow.less(
                "index, bytes a request: \(kind)",
                try bytesOfIndex(make),
                "B",
                against: ScheduleBenchmark.theirName,
                timers,
                toBe: 2
            )
            row.target = "half"
            report.add(row)
        }
        let before = benchmark_allocated_bytes()
        let requests = SampleRequests.mixed(count)
        let content = Double(benchmark_allocated_bytes() - before) / Double(count)
        keep(requests.count)
        report.add(.reported("content, bytes a request", content, "B"))
        report.note(
            "Bytes are what malloc has given out, with a million pending and the requests themselves let go. Both counts "
                + "hold the identifiers' text and the look-up by identifier. 'Mixed' are a third each time spans, dates and daily "
                + "triggers; 'calendar' are the triggers that are re-planned."
        )
    }

    private static func bytesOfIndex(_ make: (Int) -> [NoticeRequest]) throws -> Double {
        var schedule = Schedule(zone: .utc, at: SampleRequests.start)
        schedule.drive(.started, at: SampleRequests.start)
        let before = benchmark_allocated_bytes()
        var requests = make(count)
        while !requests.isEmpty {
            let last = Array(requests[(requests.count - 1_000)...])
            try schedule.drive(at: SampleRequests.start) { try $0.add(last) }
            requests.removeLast(1_000)
        }
        requests = []
        let bytes = Double(benchmark_allocated_bytes() - before) / Double(count)
        keep(schedule.entries.count)
        return bytes
    }

    private static func bytesOfTimers() -> Double {
        let timers = DispatchTimers()
        let before = benchmark_allocated_bytes()
        for number in 0..<count {
            timers.add(SampleRequests.identifier(number), after: 3_600 + Double(number % 3_500))
        }
        timers.settle()
        let bytes = Double(benchmark_allocated_bytes() - before) / Double(count)
        for number in 0..<count { timers.remove(SampleRequests.identifier(number)) }
        timers.settle()
        return bytes
    }
}
