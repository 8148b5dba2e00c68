import BelfryRecurrence
import CStoreLoops
import Foundation

@testable import Belfry
@testable import BelfrySQLite

/// A store of a million requests, opened until each is scheduled, found and removable, against reading its columns in
/// plain C.
enum StoreOpeningBenchmark {
    private static let count = Effort.count(1_000_000)
    private static let app = AppIdentity(id: "org.example.Measure")

    static func run(_ report: inout BenchmarkReport) throws {
        let times = try waited { try await measure() }
        report.add(
            .within(
                3,
                "open a store of 1,000,000 requests",
                times.ours,
                "s",
                against: "plain C SQLite scan",
                times.theirs
            )
        )
        report.note(
            "Opening is all from the call to the answer of the first question: the lock, the file, every pending request read, in the "
                + "schedule and in its queues, and the clocks' mapping committed. A third of the requests each wait for a time span, for "
                + "a date, and daily at one of 1,440 times. The scan opens the same file, closed in good order by both, and reads the same "
                + "columns of all rows. Processor time of the whole process, all threads; medians of 7, in turn; the file is in the page cache."
        )
    }

    private static func measure() async throws -> (ours: Double, theirs: Double) {
        let folders = try StoreFolders()
        defer { folders.remove() }
        let folder = folders.path + "/store"
        try await fill(folder)
        var ours: [Double] = []
        var theirs: [Double] = []
        for round in 0...7 {
            if round % 2 == 0 { ours.append(try await open(folder, round)) }
            theirs.append(try scan(folder))
            if round % 2 == 1 { ours.append(try await open(folder, round)) }
        }
        return (Alternation.median(Array(ours.dropFirst())), Alternation.median(Array(theirs.dropFirst())))
    }

    /// None is due within the day.
    private static func request(_ number: Int, _ now: Date) -> NoticeRequest {
        let offset = 86_400 + number * 7_919 % 1_000_000
        let trigger: any NoticeTrigger =
            switch number % 3 {
            case 0: IntervalTrigger(after: .seconds(offset))
            case 1: DateTrigger(date: now.addingTimeInterval(Double(offset)))
            default: CalendarTrigger(matching: DateFields(hour: offset / 60 % 24, minute: offset % 60), repeats: true)
            }
        return NoticeRequest(
            id: SampleRequests.identifier(number),
            content: SampleRequests.content(number),
            trigger: trigger
        )
    }

    private static func fill(_ folder: String) async throws {
        let store = try await SQLiteRequestStore.open(in: folder)
        let clock = SystemTriggerClock()
        let now = clock.now()
        for start in stride(from: 0, to: count, by: 10_000) {
            try await store.commit(
                (start..<min(start + 10_000, count)).map { number in
                    let request = request(number, now.date)
                    let anchor = request.trigger is IntervalTrigger ? now.boot : now.wall
                    return .putRequest(request, revision: Int64(number + 1), TriggerProgress(anchor: anchor))
                }
            )
        }
        let mapping = ClockMapping(bootID: clock.bootID, instant: now, zone: clock.systemZone().identifier)
        try await store.commit([.putClockMapping(mapping)])
        try await store.close()
    }

    private static func open(_ folder: String, _ round: Int) async throws -> Double {
        let begun = Stopwatch.processSeconds()
        let store = try await SQLiteRequestStore.open(in: folder)
        let center = NoticeCenter(app: app, backend: IdleBackend(), store: .sqlite(store))
        let next = try await center.nextFireDate()
        let time = Stopwatch.processSeconds() - begun
        let found = await (center.engine as! EmbeddedEngine).schedule.entries.count
        guard next != nil, found == count else {
            throw BenchmarkFault(description: "\(found) of \(count) are scheduled")
        }
        for number in stride(from: 0, to: count, by: 99_991) {
            guard try await center.nextFireDate(of: SampleRequests.identifier(number)) != nil else {
                throw BenchmarkFault(description: "request \(number) is not found")
            }
        }
        if round == 7 {
            let ids = stride(from: 0, to: count, by: 1_000).map { SampleRequests.identifier($0) }
            try await center.remove(ids)
            let left = await (center.engine as! EmbeddedEngine).schedule.entries.count
            guard left == count - ids.count else { throw BenchmarkFault(description: "\(left) are left") }
        }
        try await store.close()
        return time
    }

    private static func scan(_ folder: String) throws -> Double {
        var sum: UInt64 = 0
        var found: Int64 = 0
        let begun = Stopwatch.processSeconds()
        found = store_loop_scan(folder + "/store.sqlite", &sum)
        let time = Stopwatch.processSeconds() - begun
        guard found == count, sum > 0 else { throw BenchmarkFault(description: "plain C read \(found) rows") }
        return time
    }
}

extension Stopwatch {
    /// Processor time of all threads so far, in seconds: what waits for the disk or for other programs is left out.
    static func processSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
