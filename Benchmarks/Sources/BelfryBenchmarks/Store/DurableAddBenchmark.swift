import CStoreLoops
import Foundation

@testable import Belfry
@testable import BelfrySQLite

/// Requests added through a center on a store, each durable before the next, against the same rows inserted in plain C.
enum DurableAddBenchmark {
    private static let app = AppIdentity(id: "org.example.Measure")
    private static let count = 300
    private static let rounds = Effort.rounds(15)

    /// Due tomorrow, a second apart.
    private static func requests(_ count: Int) -> [NoticeRequest] {
        let tomorrow = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded() + 86_400)
        return (0..<count).map { number in
            NoticeRequest(
                id: SampleRequests.identifier(number),
                content: SampleRequests.content(number),
                trigger: DateTrigger(date: tomorrow.addingTimeInterval(Double(number)))
            )
        }
    }

    static func run(_ report: inout BenchmarkReport) throws {
        try waited { try await run() }.forEach { report.add($0) }
        report.note(
            "A durable add returns when its two rows are on the disk: an fsync each (WAL, synchronous=FULL), ours through the center's "
                + "actor, the schedule and the store's queue, theirs by prepared statements on one thread. Rounds of \(count), in turn, "
                + "on one disk; the medians. The 64 callers each add one after the other, all of them the same number of requests."
        )
    }

    private static func run() async throws -> [BenchmarkRow] {
        let folders = try StoreFolders()
        defer { folders.remove() }
        let all = requests(count * (rounds + 1))
        let store = try await SQLiteRequestStore.open(in: folders.path + "/ours")
        let center = NoticeCenter(app: app, backend: IdleBackend(), store: .sqlite(store))
        _ = try await center.nextFireDate()
        guard let loop = store_loop_make(folders.path + "/theirs.sqlite") else {
            throw BenchmarkFault(description: "no file for plain C")
        }
        defer { store_loop_close(loop) }
        let clock = ContinuousClock()
        var ours: [Double] = []
        var theirs: [Double] = []
        var together: [Double] = []
        for round in 0...rounds {
            let part = Array(all[round * count..<(round + 1) * count])
            let rows = try prepared(part, from: round * count)
            func one() async throws -> Double {
                try await clock.measure { for request in part { try await center.add(request) } }.seconds
            }
            func other() throws -> Double { try clock.measure { for row in rows { try row.insert(loop) } }.seconds }
            if round % 2 == 0 { ours.append(try await one()) }
            theirs.append(try other())
            if round % 2 == 1 { ours.append(try await one()) }
            together.append(try await sixtyFour(center, part, round))
        }
        let inserted = Int(store_loop_count(loop))
        let pending = try await center.pending().count
        guard inserted == all.count, pending == all.count * 2 else {
            throw BenchmarkFault(description: "\(inserted) rows and \(pending) pending of \(all.count)")
        }
        try await store.close()
        // The first round of each warms up.
        let rate = { (times: [Double]) in Double(count) / Alternation.median(Array(times.dropFirst())) }
        return [
            .more(
                "durable adds, one at a time",
                rate(ours),
                "1/s",
                against: "plain C SQLite",
                rate(theirs),
                toBe: 0.65
            ),
            .more(
                "durable adds, 64 callers at once",
                rate(together),
                "1/s",
                against: "one at a time",
                rate(ours),
                toBe: 8
            ),
        ]
    }

    private static func sixtyFour(_ center: NoticeCenter, _ part: [NoticeRequest], _ round: Int) async throws -> Double
    {
        let renamed = part.map { request in
            var request = request
            request.id += "/again"
            return request
        }
        return try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<64 {
                    group.addTask {
                        for index in stride(from: caller, to: renamed.count, by: 64) {
                            try await center.add(renamed[index])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }.seconds
    }

    /// What our store writes of each request, made before the clock runs.
    private static func prepared(_ requests: [NoticeRequest], from first: Int) throws -> [PreparedRow] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try requests.enumerated().map { index, request in
            PreparedRow(
                id: Array(request.id.utf8),
                row: try RequestRow(request, revision: Int64(first + index + 1), encoder),
                date: (request.trigger as? DateTrigger)?.date.timeIntervalSinceReferenceDate ?? 0
            )
        }
    }
}

private struct PreparedRow {
    let id: [UInt8]
    let row: RequestRow
    let date: Double

    func insert(_ loop: OpaquePointer) throws {
        let code = row.body.withBytes { body in
            (row.kind ?? Data()).withBytes { kind in
                (row.payload ?? Data()).withBytes { payload in
                    id.withUnsafeBytes { id in
                        let id = store_loop_bytes(bytes: id.baseAddress, count: Int32(id.count))
                        return store_loop_insert(
                            loop,
                            row.revision,
                            id,
                            body,
                            kind,
                            payload,
                            1_740_830_400_000_000,
                            date
                        )
                    }
                }
            }
        }
        guard code == 0 else { throw BenchmarkFault(description: "SQLite answered \(code)") }
    }
}

extension Data {
    fileprivate func withBytes<Value>(_ body: (store_loop_bytes) -> Value) -> Value {
        withUnsafeBytes { body(store_loop_bytes(bytes: $0.baseAddress, count: Int32($0.count))) }
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
