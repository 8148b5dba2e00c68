import BelfryRecurrence
import CBenchmarkLoops
import Foundation

@testable import Belfry

/// A million requests added, removed and fired, and what one of them takes in memory, against a dispatch timer each.
enum ScheduleBenchmark {
    static let count = 1_000_000

    struct Times {
        var add = 0.0
        var remove = 0.0
        var fire = 0.0
        var confirm = 0.0
    }

    static func run(_ report: inout BenchmarkReport) throws {
        let before = benchmark_allocated_bytes()
        var requests = SampleRequests.mixed(count)
        let contentBytes = Double(benchmark_allocated_bytes() - before) / Double(count)
        var ours: [Times] = []
        var theirs: [Times] = []
        for _ in 0..<3 {
            ours.append(try timesOfOurs(requests))
            theirs.append(try timesOfTheirs(requests))
        }
        func rate(_ times: [Times], _ part: (Times) -> Double) -> Double {
            Double(count) / Alternation.median(times.map(part))
        }
        let name = "dispatch timers"
        report.add(
            .more("add 1,000,000 requests", rate(ours, \.add), "1/s", against: name, rate(theirs, \.add), toBe: 2)
        )
        report.add(
            .more("remove 1,000,000 requests", rate(ours, \.remove), "1/s", against: name, rate(theirs, \.remove))
        )
        let fire = rate(ours, \.fire)
        var row = BenchmarkRow.more("fire 1,000,000 requests", fire, "1/s", against: name, rate(theirs, \.fire))
        row.target = "1,000,000"
        row.reached = fire >= 1_000_000
        report.add(row)
        report.add(.reported("take in 1,000,000 confirmations of delivery", rate(ours, \.confirm), "1/s"))

        requests = []
        let timerBytes = bytesOfTimers()
        for (kind, make) in [("mixed", SampleRequests.mixed), ("calendar", SampleRequests.calendar)] {
            var row = BenchmarkRow.less(
                "index, bytes a request: \(kind)",
                bytesOfIndex(make),
                "B",
                against: name,
                timerBytes,
                toBe: 2
            )
            row.target = "half"
            report.add(row)
        }
        report.add(.reported("content, bytes a request", contentBytes, "B"))
        report.note(
            "Requests are added one by one, each with a commit that the store acknowledges at once; a third each wait for a time "
                + "span, for a date, and daily. A dispatch timer has a handler and is kept in a dictionary by the request's identifier; "
                + "both counts of bytes hold the identifiers' text. 'Fire' is one wake-up with a million due, up to the orders to deliver."
        )
    }

    private static func timesOfOurs(_ requests: [NoticeRequest]) throws -> Times {
        var times = Times()
        var now = SampleRequests.start
        var schedule = Schedule(zone: .utc, at: now)
        schedule.drive(.started, at: now)
        times.add = Stopwatch.elapsedSeconds {
            for (number, request) in requests.enumerated() {
                schedule.drive(.added([request], Ticket(number)), at: now)
            }
        }
        guard schedule.entries.count == count else { throw BenchmarkFault(description: "not all were added") }
        times.remove = Stopwatch.elapsedSeconds {
            for (number, request) in requests.enumerated() {
                schedule.drive(.removed([request.id], Ticket(number)), at: now)
            }
        }
        guard schedule.entries.count == 0 else { throw BenchmarkFault(description: "not all were removed") }
        for start in stride(from: 0, to: count, by: 1_000) {
            schedule.drive(.added(Array(requests[start..<start + 1_000]), Ticket(start)), at: now)
        }
        now.wall += 3_600_000_000
        now.boot += 3_600_000_000
        var orders: [DeliveryOrder] = []
        times.fire = Stopwatch.seconds {
            var effects = schedule.handle(.woke, at: now)
            if case .commit(let id, _)? = effects.first { effects = schedule.handle(.committed(id), at: now) }
            orders = effects.compactMap { if case .deliver(let order) = $0 { order } else { nil } }
        }
        guard orders.count == count else { throw BenchmarkFault(description: "\(orders.count) fired") }
        times.confirm = Stopwatch.seconds {
            for (number, order) in orders.enumerated() {
                let receipt = DeliveryReceipt(backend: "none", handle: String(number))
                schedule.drive(.delivered(order.reference, receipt, reportsDismissal: false), at: now)
            }
        }
        return times
    }

    private static func timesOfTheirs(_ requests: [NoticeRequest]) throws -> Times {
        var times = Times()
        let timers = DispatchTimers()
        times.add = Stopwatch.elapsedSeconds {
            for (number, request) in requests.enumerated() {
                timers.add(request.id, after: 3_600 + Double(number % 3_500))
            }
        }
        timers.settle()
        times.remove = Stopwatch.elapsedSeconds {
            for request in requests { timers.remove(request.id) }
        }
        timers.settle()
        // All due at once, when the last was added: what is measured ends when every handler has run.
        let soon = times.add * 1.5 + 1
        let begun = benchmark_monotonic_nanoseconds()
        for request in requests {
            timers.add(request.id, after: soon - Double(benchmark_monotonic_nanoseconds() - begun) * 1e-9)
        }
        let due = begun + Int64(soon * 1e9)
        while timers.firedCount < count { usleep(1_000) }
        times.fire = Double(benchmark_monotonic_nanoseconds() - due) * 1e-9
        for request in requests { timers.remove(request.id) }
        timers.settle()
        return times
    }

    private static func bytesOfIndex(_ make: (Int) -> [NoticeRequest]) -> Double {
        var schedule = Schedule(zone: .utc, at: SampleRequests.start)
        schedule.drive(.started, at: SampleRequests.start)
        let before = benchmark_allocated_bytes()
        var requests = make(count)
        while !requests.isEmpty {
            schedule.drive(.added(Array(requests[(requests.count - 1_000)...]), 0), at: SampleRequests.start)
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
        for number in 0..<count { timers.add(SampleRequests.identifier(number), after: 3_600 + Double(number % 3_500)) }
        timers.settle()
        let bytes = Double(benchmark_allocated_bytes() - before) / Double(count)
        for number in 0..<count { timers.remove(SampleRequests.identifier(number)) }
        timers.settle()
        return bytes
    }
}
