import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("Damage is reported until somebody has acknowledged it", .takesTurns)
struct DamageReportTests {
    @Test("A value of a wrong type is refused by the tables")
    func strict() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.put("a", 1)])
        for change in [
            "UPDATE request SET body = 60", "UPDATE pending SET id = 'a'", "INSERT INTO setting VALUES (1, 2, 3, 4)",
            "UPDATE pending SET anchor = X'00'",
        ] {
            await #expect(throws: NoticeError.self, "\(change)") {
                try await store.perform("spoil") { try $1.execute(change) }
            }
        }
        #expect(try await store.request(revision: 1)?.id == "a")
    }

    @Test(
        "A content that is damaged while the store is open is an error of that request alone, and listed as unreadable"
    )
    func damagedContent() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let clock = ManualTriggerClock(date: AppLife.start)
        let app = AppIdentity(id: "org.example.Test")
        let center = NoticeCenter(
            app: app,
            backend: RecorderBackend(),
            store: NoticeStore(store),
            clock: .manual(clock)
        )
        let due = AppLife.start.addingTimeInterval(60)
        for id in ["a", "b"] { try await center.add(NoticeRequest(id: id, title: id, trigger: .date(due))) }
        try await store.perform("flip a bit") {
            try $1.execute(
                "UPDATE request SET body = CAST(replace(CAST(body AS TEXT), '\"a\"', '\"q\"') AS BLOB) WHERE revision = 1"
            )
        }
        let error = await #expect(throws: NoticeError.self) { try await store.request(revision: 1) }
        #expect(error?.code == .contentUnreadable)
        #expect(error?.cause?.contains("checksum") == true)
        let pending = try await center.pending()
        #expect(pending.map(\.id) == ["a", "b"])
        #expect(pending.map(\.isUnreadable) == [true, false])
        #expect(pending.first?.next == due)
        let log = StoreDamageLog(folder: store.folder)
        #expect(log.takeUnreported().flatMap(\.requests).map(\.id) == ["a"])
        // The next opening sets the file aside; the request is still listed, until somebody has acknowledged the loss.
        try await store.close()
        let again = try await SQLiteRequestStore.open(in: store.folder)
        #expect(again.openingReport.damage?.requests.map(\.id) == ["a"])
        let second = NoticeCenter(
            app: app,
            backend: RecorderBackend(),
            store: NoticeStore(again),
            clock: .manual(clock)
        )
        #expect(try await second.pending().map(\.id) == ["b", "a"])
        #expect(try await second.history().filter { $0.outcome == .damaged }.map(\.requestID) == ["", "a"])
        log.acknowledge()
        #expect(try await second.pending().map(\.id) == ["b"])
    }

    @Test("A page that is damaged while the store is open is an error of its request alone, also when that ends")
    func damagedPage() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        // Each fills a page of the table.
        let body = String(repeating: "y", count: 2_500)
        try await store.commit((1...9).map { .put("\($0)", $0, body: $0 == 5 ? "MARKER" + body : body) })
        try await store.perform("read the file from now on") {
            try $1.emptyLog()
            try $1.execute("PRAGMA shrink_memory")
        }
        let file = URL(fileURLWithPath: store.path)
        let bytes = try Data(contentsOf: file)
        let page = try #require(bytes.range(of: Data("MARKER".utf8))).lowerBound / 4_096 * 4_096
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64(page))
        try handle.write(contentsOf: Data([bytes[page] ^ 1]))
        try handle.close()

        let error = await #expect(throws: NoticeError.self) { try await store.request(revision: 5) }
        #expect(error?.code == .contentUnreadable)
        #expect(try await store.requests(revisions: [4, 5, 6]).keys.sorted() == [4, 6])
        try await store.commit([.removeRequest(revision: 5), .dropContent(revision: 5), .put("10", 10)])
        #expect(try await store.request(revision: 10)?.id == "10")
        #expect(StoreDamageLog(folder: store.folder).takeUnreported().isEmpty == false)
        // The next opening repairs the file.
        try await store.close()
        let again = try await SQLiteRequestStore.open(in: store.folder)
        #expect(again.openingReport.damage != nil)
        #expect(try await again.load().pending.map(\.id) == ["1", "2", "3", "4", "6", "7", "8", "9", "10"])
        try await again.close()
    }

    @Test("Each report is handed to one caller only, and kept until it is acknowledged")
    func once() async throws {
        let scratch = try TemporaryFolder()
        let log = StoreDamageLog(folder: scratch.path)
        #expect(log.reports().isEmpty && log.takeUnreported().isEmpty)
        #expect(try scratch.names().isEmpty)
        let first = NoticeStore.Damage(foundAt: Date(timeIntervalSince1970: 1), reason: "first")
        let second = NoticeStore.Damage(foundAt: Date(timeIntervalSince1970: 2), reason: "second")
        try log.add(second)
        try log.add(first)
        let taken = await withTaskGroup(of: [NoticeStore.Damage].self) { group in
            for _ in 0..<8 { group.addTask { StoreDamageLog(folder: scratch.path).takeUnreported() } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(taken.map(\.reason)) == ["first", "second"])
        #expect(taken.count == 2)
        #expect(log.reports() == [first, second])
        #expect(try scratch.names(in: "damage").allSatisfy { scratch.mode("damage/\($0)") == 0o600 })
        log.acknowledge()
        #expect(log.reports().isEmpty)
    }

    @Test("An ordinary life leaves no report, and its second opening finds none")
    func none() async throws {
        let scratch = try TemporaryFolder()
        for life in 1...3 as ClosedRange<Int64> {
            let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
            #expect(store.openingReport.isEmpty)
            try await store.commit([.put("\(life)", life)])
            if life != 2 { try await store.close() }
        }
        #expect(!StoreFolder.exists(scratch.path("store/damage")))
    }

    @Test("Asking for a store creates none")
    func exists() async throws {
        let scratch = try TemporaryFolder()
        #expect(!SQLiteRequestStore.exists(in: scratch.path("store")))
        #expect(try scratch.names().isEmpty)
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(SQLiteRequestStore.exists(in: scratch.path("store")))
        try await store.close()
        #expect(SQLiteRequestStore.exists(in: scratch.path("store")))
    }

    @Test("What is left of a store counts as one", arguments: ["acknowledged", "store.sqlite-wal", "rescued.sqlite"])
    func existsInPart(name: String) throws {
        let scratch = try TemporaryFolder()
        try makeFile(scratch.path(name), Data())
        #expect(SQLiteRequestStore.exists(in: scratch.path))
    }

    @Test("A path that can't be examined counts as a store, so that opening reports it")
    func existsPerhaps() async throws {
        let scratch = try TemporaryFolder()
        #expect(mkdir(scratch.path("link"), 0o700) == 0)
        #expect(symlink("/nonexistent/file", scratch.path("link/store.sqlite")) == 0)
        try makeFile(scratch.path("file"), Data())
        for folder in ["link", "file", String(repeating: "x", count: 300)] {
            #expect(SQLiteRequestStore.exists(in: scratch.path(folder)), "\(folder)")
            await #expect(throws: NoticeError.self, "\(folder)") {
                try await SQLiteRequestStore.open(in: scratch.path(folder))
            }
        }
        #expect(!SQLiteRequestStore.exists(in: scratch.path("file/below")))
    }

    @Test("An open store has four descriptors, a closed one none")
    func descriptors() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.put("a", 1)])
        #expect(
            try Self.descriptors(below: scratch.path) == ["acknowledged", "lock", "store.sqlite", "store.sqlite-wal"]
        )
        try await store.close()
        #expect(try Self.descriptors(below: scratch.path).isEmpty)
    }

    private static func descriptors(below folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }.filter { $0.hasPrefix(folder) }.map { URL(fileURLWithPath: $0).lastPathComponent }.sorted()
    }
}
