import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import SeededRandom
import StoreWorkload
import Testing

@testable import BelfrySQLite

@Suite("A damaged file is set aside, and what can be read of it is saved", .takesTurns)
struct StoreDamageTests {
    private static let page = 4_096

    /// A closed store of so many requests and history lines.
    private func makeStore(_ scratch: TemporaryFolder, requests: Int64 = 2_000) async throws -> URL {
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit((1...requests).map { .put("\($0)", $0, body: String(repeating: "body ", count: 40)) })
        try await store.commit((1...500).map { .line("\($0)", Double($0)) })
        let response = NoticeResponse(
            id: "response",
            requestID: "1",
            deliveryID: "d",
            kind: .opened,
            date: Date(timeIntervalSince1970: 1),
            series: nil,
            userInfo: [:],
            activationToken: nil
        )
        try await store.commit([.putResponse(response), .putAuthorization(.authorized)])
        try await store.close()
        return URL(fileURLWithPath: scratch.path("store/store.sqlite"))
    }

    private func overwrite(_ file: URL, at offset: Int, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    @Test("Pages in the middle are lost with what was on them, and with nothing else")
    func pages() async throws {
        let scratch = try TemporaryFolder()
        let file = try await makeStore(scratch)
        let size = try Data(contentsOf: file).count / Self.page
        let damaged = try Data(contentsOf: file)
        // A page of requests: found by what it holds.
        let marker = Data("body body body".utf8)
        let page = try #require(
            (size / 3..<size).first { number in
                damaged[number * Self.page..<(number + 1) * Self.page].range(of: marker) != nil
                    && damaged[number * Self.page] == 13
            }
        )
        try overwrite(file, at: page * Self.page, with: [UInt8](repeating: 0xA5, count: Self.page))
        let broken = try Data(contentsOf: file)

        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let damage = try #require(store.openingReport.damage)
        let aside = try #require(damage.setAside)
        #expect(aside.hasPrefix(scratch.path("store/store-damaged-")))
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == broken)
        #expect(scratch.mode("store/store.sqlite") == 0o600)
        #expect(!damage.reason.isEmpty)
        #expect(damage.losses.count == 2)
        #expect(damage.losses.last?.hasPrefix("Lost with their content are the requests '") == true)
        #expect(store.openingReport.messages.contains { $0.contains(aside) && $0.contains("500 of ledger") })
        let state = try await store.load()
        // About 13 requests of this size share a page.
        #expect((1_970..<2_000).contains(state.pending.count), "\(state.pending.count)")
        #expect(state.pending.first?.id == "1" && state.pending.last?.id == "2000")
        #expect(state.responses.count == 1)
        #expect(state.authorization == .authorized)
        #expect(state.nextRevision == 2_001)
        #expect(try await store.history(HistoryQuery(outcomes: [.delivered])).count == 500)
        try await store.commit([.put("new", state.nextRevision)])
        try await store.close()

        let again = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(again.openingReport.damage == nil)
        #expect(try await again.load().pending.last?.id == "new")
    }

    @Test("A file that is no database at all is set aside, and the store begins anew")
    func noDatabase() async throws {
        let scratch = try TemporaryFolder()
        let file = try await makeStore(scratch, requests: 10)
        try overwrite(file, at: 0, with: [UInt8](repeating: 0x5A, count: Self.page))
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let damage = try #require(store.openingReport.damage)
        #expect(StoreFolder.exists(try #require(damage.setAside)))
        #expect(damage.losses.count >= 1)
        #expect(try await store.load().pending.isEmpty)
        try await store.commit([.put("new", 1)])
    }

    @Test("A copy that can't be made for another reason than the damage is an error, and costs nothing")
    func copyFails() async throws {
        let scratch = try TemporaryFolder()
        let file = try await makeStore(scratch, requests: 100)
        let bytes = try Data(contentsOf: file)
        let body = try #require(bytes.range(of: Data("body".utf8), options: .backwards)).lowerBound
        try overwrite(file, at: body, with: [bytes[body] ^ 1])
        // In the way of the copy that the data is read from.
        let obstacle = scratch.path("store/examined.sqlite")
        try FileManager.default.createDirectory(atPath: obstacle + "/x", withIntermediateDirectories: true)
        let error = await #expect(throws: NoticeError.self) {
            try await SQLiteRequestStore.open(in: scratch.path("store"))
        }
        #expect(error?.code == .storeFailed)
        try FileManager.default.removeItem(atPath: obstacle)
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(store.openingReport.damage != nil)
        #expect(try await store.load().pending.count == 99)
    }

    @Test("Whatever bytes are overwritten, the store opens and takes requests", arguments: 0..<25)
    func anyDamage(round: Int) async throws {
        let seed = RandomSeed.current &+ UInt64(round)
        var random = SeededGenerator(seed: seed)
        let scratch = try TemporaryFolder()
        let file = try await makeStore(scratch, requests: 200)
        let size = try Data(contentsOf: file).count
        for _ in 0..<random.number(1...6) {
            let length = random.number(1...64)
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.number(0...255)) }
            try overwrite(file, at: random.number(0...size - length), with: bytes)
        }
        if random.number(0...3) == 0 {
            let handle = try FileHandle(forUpdating: file)
            try handle.truncate(atOffset: UInt64(random.number(1...size)))
            try handle.close()
        }
        do {
            let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
            let state = try await store.load()
            try await store.commit([.put("new", state.nextRevision), .line("new", 1)])
            #expect(try await store.load().pending.last?.id == "new")
        } catch  where error.code == .storeTooNew {
            // The damage hit the name of a migration: there is no telling it from a newer version's.
        } catch { Issue.record("seed \(seed): \(error)") }
    }

    @Test("A lost request is reported once, and its content is removed")
    func reportedOnce() async throws {
        let scratch = try TemporaryFolder()
        var store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.put("a", 1), .put("b", 2), .put("c", 3)])
        for (id, revision) in [("c", 3), ("a", 1)] as [(String, Int64)] {
            try await store.perform("lose one") { try $1.execute("DELETE FROM pending WHERE revision = \(revision)") }
            try await store.close()
            store = try await SQLiteRequestStore.open(in: scratch.path("store"))
            #expect(store.openingReport.damage?.requests.map(\.id) == [id])
            #expect(try await store.request(revision: revision) == nil)
        }
        #expect(try await store.request(revision: 2)?.id == "b")
        let state = try await store.load()
        #expect(state.pending.map(\.id) == ["b"])
        #expect(state.nextRevision == 4)
    }

    @Test("An entry of an owner whose request was lost is updated by the next synchronization")
    func ownedEntries() async throws {
        let scratch = try TemporaryFolder()
        let due = AppLife.start.addingTimeInterval(3_600)
        let series = NoticeSeries(id: "s", content: NoticeContent(title: "s"), spacing: .seconds(60), count: 2)
        let wanted = OwnedRequests(
            owner: "file",
            entries: [
                .init(key: "a", fingerprint: "1", requests: [NoticeRequest(id: "a", title: "a", trigger: .date(due))]),
                .init(key: "b", fingerprint: "1", requests: [NoticeRequest(id: "b", title: "b", trigger: .date(due))]),
                .init(key: "s", fingerprint: "1", requests: try series.requests(startingAt: due)),
            ]
        )
        func synchronize(_ store: SQLiteRequestStore) async throws -> NoticeCenter.SynchronizationReport {
            let center = NoticeCenter(
                app: AppIdentity(id: "org.example.Test"),
                backend: RecorderBackend(),
                store: NoticeStore(store),
                clock: .manual(ManualTriggerClock(date: AppLife.start))
            )
            return try await center.engine.synchronize(wanted, isTrial: false)
        }
        var store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(try await synchronize(store).added == ["a", "b", "s"])
        let pending = try await store.load().pending.map(\.id)
        #expect(pending.count == 4)
        // The content of one, and when an element of the series is due.
        try await store.perform("damage") { _, database in
            let spoiled = "CAST(replace(CAST(body AS TEXT), '\"id\"', '\"xd\"') AS BLOB)"
            try database.execute("UPDATE request SET body = \(spoiled) WHERE revision = 1")
            try database.execute("DELETE FROM pending WHERE revision = 4")
        }
        try await store.close()
        store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(store.openingReport.damage?.requests.compactMap(\.id) == [pending[0], pending[3]])
        let report = try await synchronize(store)
        #expect(report.updated == ["a", "s"] && report.unchanged == ["b"], "\(report)")
        #expect(try await store.load().pending.map(\.id).sorted() == pending.sorted())
    }

    @Test("Rows with the lowest numbers there are can be searched for")
    func lowestRows() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let body = String(repeating: "body ", count: 100)
        try await store.commit((0..<100).map { .put("\($0)", .min + $0, body: body) })
        try await store.close()
        let file = URL(fileURLWithPath: scratch.path("store/store.sqlite"))
        let bytes = try Data(contentsOf: file)
        // The first leaf of the requests: it holds the first one's body, and ends with it.
        let marker = Data(#""id":"0""#.utf8)
        let page = try #require(
            (1..<bytes.count / Self.page).first { number in
                bytes[number * Self.page] == 13
                    && bytes[number * Self.page..<(number + 1) * Self.page].range(of: marker) != nil
            }
        )
        try overwrite(file, at: page * Self.page, with: [UInt8](repeating: 0xA5, count: Self.page))
        let again = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect((80..<100).contains(try await again.load().pending.count))
        #expect(again.openingReport.damage?.requests.contains { $0.id == "0" } == true)
    }

    @Test("A crash at any step of setting aside is taken up where it stopped")
    func interrupted() async throws {
        // The new file was not complete: it is thrown away, and made again.
        var scratch = try TemporaryFolder()
        _ = try await makeStore(scratch, requests: 10)
        try makeFile(scratch.path("store/rescued.sqlite"), Data("half".utf8))
        var store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(try await store.load().pending.count == 10)
        #expect(!StoreFolder.exists(scratch.path("store/rescued.sqlite")))
        try await store.close()

        // The damaged one had its new name, its log not yet: that must not be taken for the new file's.
        scratch = try TemporaryFolder()
        let file = try await makeStore(scratch, requests: 10)
        try FileManager.default.moveItem(atPath: file.path, toPath: scratch.path("store/rescued.sqlite"))
        try makeFile(file.path + "-wal", Data("log of another".utf8))
        store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(try await store.load().pending.count == 10)
        let names = try scratch.names(in: "store")
        #expect(names.contains { $0.hasPrefix("store-damaged-") && $0.hasSuffix(".sqlite-wal") }, "\(names)")
    }

    @Test("The log of a file that was set aside gets that file's name, also after a crash between the two")
    func interruptedBetweenNames() async throws {
        let scratch = try TemporaryFolder()
        let file = try await makeStore(scratch, requests: 10)
        try FileManager.default.copyItem(atPath: file.path, toPath: scratch.path("store/rescued.sqlite"))
        // As the salvage leaves it, in an earlier second.
        let aside = scratch.path("store/store-damaged-2026-01-01T00-00-00Z.sqlite")
        let report = NoticeStore.Damage(reason: "a test", setAside: aside)
        try StoreDamageLog(folder: scratch.path("store")).add(report)
        try FileManager.default.moveItem(atPath: file.path, toPath: aside)
        try makeFile(file.path + "-wal", Data("its log".utf8))
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(try await store.load().pending.count == 10)
        #expect(FileManager.default.contents(atPath: aside + "-wal") == Data("its log".utf8))
        #expect(try scratch.names(in: "store").count { $0.hasPrefix("store-damaged-") } == 2)
    }
}
