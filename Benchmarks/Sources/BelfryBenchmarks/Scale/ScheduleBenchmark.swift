import BelfryRecurrence
import CBenchmarkLoops
import Foundation

@testable import Belfry

/// A million requests added, removed and fired, against a dispatch timer each.
enum ScheduleBenchmark {
    static let count = Effort.count(1_000_000)
    static let theirName = "dispatch timers"

    static func addAndRemove(_ report: inout BenchmarkReport) throws {
        let requests = SampleRequests.mixed(count)
        var single: [(add: Double, remove: Double)] = []
        var together: [(add: Double, remove: Double)] = []
        var theirs: [(add: Double, remove: Double)] = []
        for _ in 0..<5 {
            single.append(try addAndRemoveOurs(requests, at: 1))
            theirs.append(addAndRemoveTheirs(requests))
            together.append(try addAndRemoveOurs(requests, at: 100))
        }
        func rate(_ times: [Double]) -> Double { Double(count) / Alternation.median(times) }
        let (theirAdd, theirRemove) = (rate(theirs.map(\.add)), rate(theirs.map(\.remove)))
        for (words, times) in [("a call each", single), ("100 a call", together)] {
            let add = rate(times.map(\.add))
            report.add(.more("add 1,000,000 requests, \(words)", add, "1/s", against: theirName, theirAdd, toBe: 2))
        }
        for (words, times) in [("a call each", single), ("100 a call", together)] {
            let remove = rate(times.map(\.remove))
            report.add(.more("remove 1,000,000 requests, \(words)", remove, "1/s", against: theirName, theirRemove))
        }
        report.note(
            "Each call that adds or removes has a commit of its own, which the store acknowledges at once; a third of the requests "
                + "each wait for a time span, for a date, and daily. A dispatch timer has a handler that holds the "
                + "request, and is kept in a dictionary by its identifier. Counted is the processor time of the thread that adds and removes; what dispatch's "
                + "own thread does for its timers at the same time is not."
        )
    }

    static func fire(_ report: inout BenchmarkReport) throws {
        let requests = SampleRequests.mixed(count)
        var fire: [Double] = []
        var confirm: [Double] = []
        var theirs: [Double] = []
        for round in 0..<5 {
            let times = try fireOurs(requests)
            fire.append(times.fire)
            confirm.append(times.confirm)
            if round < 3 { theirs.append(try fireTheirs(requests)) }
        }
        let rates = [fire, theirs, confirm].map { Double(count) / Alternation.median($0) }
        var row = BenchmarkRow.more("fire 1,000,000 requests", rates[0], "1/s", against: theirName, rates[1])
        row.target = "1,000,000"
        row.reached = rates[0] >= 1_000_000
        report.add(row)
        report.add(.reported("take in 1,000,000 confirmations of delivery", rates[2], "1/s"))
        report.note(
            "'Fire' is one wake-up with a million due: from the event to the orders to deliver, which follow from the commit. A "
                + "dispatch timer runs an empty handler, and keeps nothing for the case that the process ends meanwhile."
        )
    }

    private static func filled(_ requests: [NoticeRequest]) throws -> Schedule {
        var schedule = Schedule(zone: .utc, at: SampleRequests.start)
        schedule.drive(.started, at: SampleRequests.start)
        for start in stride(from: 0, to: count, by: 1_000) {
            try schedule.drive(at: SampleRequests.start) { try $0.add(Array(requests[start..<start + 1_000])) }
        }
        return schedule
    }

    private static func addAndRemoveOurs(_ requests: [NoticeRequest], at size: Int) throws -> (Double, Double) {
        let now = SampleRequests.start
        var schedule = Schedule(zone: .utc, at: now)
        schedule.drive(.started, at: now)
        let add = try Stopwatch.seconds {
            for start in stride(from: 0, to: count, by: size) {
                try schedule.drive(at: now) { try $0.add(Array(requests[start..<start + size])) }
            }
        }
        guard schedule.entries.count == count else { throw BenchmarkFault(description: "not all were added") }
        let remove = Stopwatch.seconds {
            for start in stride(from: 0, to: count, by: size) {
                let ids = requests[start..<start + size].map(\.id)
                schedule.drive(at: now) { $0.remove(ids, includingDelivered: false) }
            }
        }
        guard schedule.entries.count == 0 else { throw BenchmarkFault(description: "not all were removed") }
        return (add, remove)
    }

    private static func addAndRemoveTheirs(_ requests: [NoticeRequest]) -> (Double, Double) {
        let timers = DispatchTimers()
        let add = Stopwatch.seconds {
            for number in 0..<count { timers.add(requests[number], after: 3_600 + Double(number % 3_500)) }
        }
        timers.settle()
        let remove = Stopwatch.seconds { for number in 0..<count { timers.remove(requests[number].id) } }
        timers.settle()
        return (add, remove)
    }

    private static func fireOurs(_ requests: [NoticeRequest]) throws -> (fire: Double, confirm: Double) {
        var schedule = try filled(requests)
        var now = SampleRequests.start
        now.wall += 3_600_000_000
        now.boot += 3_600_000_000
        var effects: [ScheduleEffect] = []
        let fire = Stopwatch.seconds {
            effects = schedule.handle(.woke, at: now).effects
            schedule.stored(at: now)
        }
        let orders = effects.compactMap { if case .deliver(let order) = $0 { order } else { nil } }
        guard orders.count == count else { throw BenchmarkFault(description: "\(orders.count) fired") }
        let confirm = Stopwatch.seconds {
            for (number, order) in orders.enumerated() {
                let receipt = DeliveryReceipt(backend: "none", handle: String(number))
                schedule.drive(.delivered(order.reference, receipt, reportsDismissal: false), at: now)
            }
        }
        return (fire, confirm)
    }

    /// Elapsed time from the common due time until every handler has run. On a machine that is too busy to add all of
    /// them before that, again with twice the time.
    private static func fireTheirs(_ requests: [NoticeRequest], addedWithin seconds: Int64 = Effort.isTiny ? 1 : 8)
        throws -> Double
    {
        guard seconds < 200 else { throw BenchmarkFault(description: "timers can't be added within \(seconds) s") }
        let timers = DispatchTimers()
        let due = benchmark_monotonic_nanoseconds() + seconds * 1_000_000_000
        for request in requests {
            timers.add(request, after: Double(due - benchmark_monotonic_nanoseconds()) * 1e-9)
        }
        timers.settle()
        let isInTime = benchmark_monotonic_nanoseconds() < due - 500_000_000
        while timers.firedCount < count { usleep(1_000) }
        let elapsed = Double(benchmark_monotonic_nanoseconds() - due) * 1e-9
        for request in requests { timers.remove(request.id) }
        timers.settle()
        return isInTime ? elapsed : try fireTheirs(requests, addedWithin: seconds * 2)
    }
}
