import Belfry
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import BelfrySQLite

/// What is damaged in the tests below: copies of one store whose requests stand partly in its file, partly in its log.
private struct DamagedStores {
    static let requests: Int64 = 60
    let scratch: TemporaryFolder
    /// Each request as it was acknowledged.
    let acknowledged: [Int64: NoticeRequest]

    init() async throws {
        scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        var acknowledged: [Int64: NoticeRequest] = [:]
        for revision in 1...Self.requests {
            let request = NoticeRequest.sample("request \(revision)", body: String(repeating: "body ", count: 30))
            let progress = TriggerProgress(anchor: revision)
            try await store.commit([.putRequest(request, revision: revision, progress), .line(request.id, 1)])
            acknowledged[revision] = request
            if revision == Self.requests / 2 {
                try await store.perform("empty the log") { try $1.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            }
        }
        self.acknowledged = acknowledged
        // As a process that is killed leaves them.
        try scratch.copyStore("store", to: "killed")
        try FileManager.default.copyItem(
            atPath: scratch.path("store/acknowledged"),
            toPath: scratch.path("killed/acknowledged")
        )
        try await store.close()
    }

    /// Damages a copy and opens it. Returns what is wrong: a loss that nobody is told of.
    func outcome(_ name: String, damage: (_ file: inout [UInt8], _ log: inout [UInt8]) -> Void) async throws -> String?
    {
        let folder = scratch.path(name)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: scratch.path("killed"), toPath: folder)
        let (file, log) = (
            URL(fileURLWithPath: folder + "/store.sqlite"), URL(fileURLWithPath: folder + "/store.sqlite-wal")
        )
        var (bytes, logged) = ([UInt8](try Data(contentsOf: file)), [UInt8](try Data(contentsOf: log)))
        damage(&bytes, &logged)
        try Data(bytes).write(to: file)
        try Data(logged).write(to: log)

        let store = try await SQLiteRequestStore.open(in: folder)
        let pending = try await store.load().pending
        let contents = try await store.requests(revisions: pending.map(\.revision))
        let lines = try await store.history(HistoryQuery())
        let isWhole =
            contents == acknowledged && pending.map(\.progress.anchor) == Array(1...Self.requests)
            && lines.count { $0.outcome == .delivered } == Int(Self.requests)
        let reports = StoreDamageLog(folder: folder).reports()
        let isReported = !reports.isEmpty
        let wrong = contents.filter { acknowledged[$0.key] != $0.value }
        try await store.commit([.put("new", Self.requests + 1)])
        try await store.close()
        if !wrong.isEmpty { return "taken for data: \(wrong)" }
        if !isWhole, !isReported { return "\(pending.count) pending, \(contents.count) contents, no report" }
        if isReported, !lines.contains(where: { $0.outcome == .damaged }) { return "no line in the history" }
        return nil
    }
}

@Suite("Whatever is damaged, no acknowledged request is lost without a report", .takesTurns)
struct StoreIntegrityTests {
    private static let seed: UInt64 = 4_711
    /// `BELFRY_DAMAGE=all` makes the long run.
    private static let isLong = ProcessInfo.processInfo.environment["BELFRY_DAMAGE"] == "all"

    @Test("One bit flips, in the file or in the log", .timeLimit(.minutes(30)))
    func bitFlips() async throws {
        let stores = try await DamagedStores()
        var random = SeededGenerator(seed: Self.seed)
        for round in 0..<(Self.isLong ? 2_500 : 150) {
            let place = Int.random(in: 0..<1 << 40, using: &random)
            let wrong = try await stores.outcome("flip \(round)") { file, log in
                let bit = place % ((file.count + log.count) * 8)
                if bit < file.count * 8 {
                    file[bit / 8] ^= 1 << (bit % 8)
                } else {
                    log[bit / 8 - file.count] ^= 1 << (bit % 8)
                }
            }
            #expect(wrong == nil, "seed \(Self.seed), round \(round)")
        }
    }

    @Test("Random bytes are overwritten, and files cut", .timeLimit(.minutes(30)))
    func randomBytes() async throws {
        let stores = try await DamagedStores()
        var random = SeededGenerator(seed: Self.seed)
        for round in 0..<(Self.isLong ? 360 : 50) {
            let wrong = try await stores.outcome("bytes \(round)") { file, log in
                for _ in 0..<random.number(1...4) {
                    let inLog = random.number(0...1) == 0
                    let start = random.number(0...(inLog ? log : file).count - 1)
                    for offset in 0..<random.number(1...256) {
                        let byte = UInt8(truncatingIfNeeded: random.number(0...255))
                        if inLog, start + offset < log.count { log[start + offset] = byte }
                        if !inLog, start + offset < file.count { file[start + offset] = byte }
                    }
                }
                if random.number(0...5) == 0 { file.removeLast(random.number(0...file.count)) }
                if random.number(0...5) == 0 { log.removeLast(random.number(0...log.count)) }
            }
            #expect(wrong == nil, "seed \(Self.seed), round \(round)")
        }
    }

    @Test("A flipped bit early in the log costs one request at most, and not those behind it")
    func flipInTheLog() async throws {
        let stores = try await DamagedStores()
        let folder = stores.scratch.path("killed")
        var log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/store.sqlite-wal")))
        // The last bytes of the first page: a row's.
        log[32 + 24 + 4_090] ^= 1
        try Data(log).write(to: URL(fileURLWithPath: folder + "/store.sqlite-wal"))
        let store = try await SQLiteRequestStore.open(in: folder)
        #expect(try await store.load().pending.count >= Int(DamagedStores.requests) - 1)
        let damage = try #require(store.openingReport.damage)
        #expect(damage.reason.contains("transactions that were acknowledged are missing"))
        #expect(StoreFolder.exists(try #require(damage.setAside) + "-wal"))
    }

    @Test("Without its mark, as in a copy of file and log, acknowledged transactions that are dropped are reported")
    func withoutMark() async throws {
        let stores = try await DamagedStores()
        let folder = stores.scratch.path("killed")
        try FileManager.default.removeItem(atPath: folder + "/acknowledged")
        let url = URL(fileURLWithPath: folder + "/store.sqlite-wal")
        var log = [UInt8](try Data(contentsOf: url))
        log[32 + 24 + 100] ^= 4
        try Data(log).write(to: url)
        let store = try await SQLiteRequestStore.open(in: folder)
        #expect(store.openingReport.damage?.reason.contains("at the end of its log are damaged") == true)
    }

    @Test("A mark that has grown is valid again after the next opening")
    func grownMark() async throws {
        let scratch = try TemporaryFolder()
        var store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.put("a", 1)])
        try await store.close()
        let mark = scratch.path("store/acknowledged")
        let transactions = try #require(CommitMark.read(mark)).transactions
        try makeFile(mark, Data(repeating: 7, count: 100))
        store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(CommitMark.read(mark)?.transactions == transactions)
    }

    @Test("The last transaction: proven lost where the machine has run since, in doubt where there is no mark")
    func lastTransaction() async throws {
        for hasMark in [true, false] {
            let stores = try await DamagedStores()
            let folder = stores.scratch.path("killed")
            if !hasMark { try FileManager.default.removeItem(atPath: folder + "/acknowledged") }
            let url = URL(fileURLWithPath: folder + "/store.sqlite-wal")
            var log = [UInt8](try Data(contentsOf: url))
            log[log.count - 10] ^= 4
            try Data(log).write(to: url)
            let store = try await SQLiteRequestStore.open(in: folder)
            let damage = try #require(store.openingReport.damage)
            #expect((damage.setAside != nil) == hasMark)
            #expect(StoreDamageLog(folder: folder).reports().map(\.id) == [damage.id])
            #expect(
                damage.reason.contains(
                    hasMark ? "1 transactions that were acknowledged" : "last transaction in its log"
                )
            )
        }
    }

    @Test("A file that is gone or empty, with all that was acknowledged", arguments: [true, false])
    func emptyFile(isGone: Bool) async throws {
        let stores = try await DamagedStores()
        let folder = stores.scratch.path("killed")
        try FileManager.default.removeItem(atPath: folder + "/store.sqlite-wal")
        try FileManager.default.removeItem(atPath: folder + "/store.sqlite")
        if !isGone { try makeFile(folder + "/store.sqlite", Data()) }
        let store = try await SQLiteRequestStore.open(in: folder)
        #expect(store.openingReport.damage?.reason == "60 transactions that were acknowledged are missing")
        try await store.close()
        let again = try await SQLiteRequestStore.open(in: folder)
        #expect(again.openingReport.damage == nil)
    }

    @Test("All that stands in the log is saved where the file is gone or empty", arguments: [true, false])
    func logAlone(isGone: Bool) async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.put("a", 1), .line("a", 1)])
        try scratch.copyStore("store", to: "killed")
        try FileManager.default.removeItem(atPath: scratch.path("killed/store.sqlite"))
        if !isGone { try makeFile(scratch.path("killed/store.sqlite"), Data()) }
        let again = try await SQLiteRequestStore.open(in: scratch.path("killed"))
        let damage = try #require(again.openingReport.damage)
        #expect(StoreFolder.exists(try #require(damage.setAside) + "-wal"))
        #expect(try await again.load().pending.map(\.id) == ["a"])
        #expect(try await again.history(HistoryQuery()).map(\.outcome) == [.delivered, .damaged])
    }

    @Test("Garbage in place of the file, and no log: the report says where the garbage is")
    func garbage() async throws {
        let stores = try await DamagedStores()
        let folder = stores.scratch.path("killed")
        try FileManager.default.removeItem(atPath: folder + "/store.sqlite-wal")
        let bytes = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        try makeFile(folder + "/store.sqlite", bytes)
        try await SQLiteRequestStore.open(in: folder).close()
        let reports = StoreDamageLog(folder: folder).takeUnreported()
        let aside = try #require(reports.first?.setAside)
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == bytes)
        #expect(reports.first?.message.contains(aside) == true)
    }

    @Test("A row of pending requests that vanishes from a sound file is missed")
    func vanished() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.put("a", 1), .put("b", 2)])
        try await store.perform("lose one") { try $1.execute("DELETE FROM pending WHERE revision = 1") }
        try await store.close()
        let again = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let damage = try #require(again.openingReport.damage)
        #expect(damage.requests.map(\.id) == ["a"])
        #expect(damage.message.contains("'a'"))
        #expect(try await again.load().pending.map(\.id) == ["b"])
        #expect(try await again.history(HistoryQuery(requestID: "a")).map(\.outcome) == [.damaged])
    }
}
