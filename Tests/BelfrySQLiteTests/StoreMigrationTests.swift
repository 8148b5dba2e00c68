import Belfry
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("A file of an earlier version is carried over whole", .takesTurns)
struct StoreMigrationTests {
    private static let requests: [NoticeRequest] = {
        var critical = NoticeContent(title: "Critical")
        critical.level = .critical
        let moon = TriggerRegistry.UnknownTrigger(storedKind: "test.moon", payload: .object(["phase": .int(3)]))
        return [
            .sample("date"),
            NoticeRequest(id: "interval", title: "Interval", trigger: .every(.seconds(90))),
            NoticeRequest(id: "odd", title: "Odd", trigger: .after(.microseconds(1))),
            NoticeRequest(id: "now", title: "Now"),
            NoticeRequest(
                id: "daily",
                title: "Daily",
                trigger: CalendarTrigger(matching: DateFields(hour: 8), repeats: true)
            ),
            NoticeRequest(id: "moon", content: critical, trigger: moon, series: "base"),
        ]
    }()

    /// As the first version wrote it.
    private func makeFirstVersion(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let database = try SQLiteDatabase(folder + "/store.sqlite")
        try StoreSchema.migrate(database, upTo: "1-requests-deliveries-responses-ledger-settings")
        let encoder = JSONEncoder()
        try database.transaction {
            for (index, request) in Self.requests.enumerated() {
                let row = try RequestRow(request, revision: Int64(index + 1), encoder)
                try database.run(
                    "INSERT INTO request VALUES (?, ?, ?, ?)",
                    [.integer(row.revision), .blob(row.body), SQLiteValue(row.kind), SQLiteValue(row.payload)]
                )
                let index = Int64(index)
                try database.run(
                    "INSERT INTO progress VALUES (?, ?, ?, ?, ?)",
                    [.integer(row.revision), .integer(index * 7), .integer(index), .integer(index * 11), .null]
                )
            }
            let line = HistoryEntry(requestID: "date", date: Date(timeIntervalSince1970: 5), outcome: .missed)
            try database.run(
                "INSERT INTO ledger (key, at, body) VALUES (?, ?, ?)",
                [.blob(Data("date".utf8)), .integer(5_000_000), .blob(try encoder.encode(line))]
            )
        }
        database.close()
    }

    /// As the third version wrote it: the last whose rows have no checksums.
    private func makeThirdVersion(_ folder: String) throws -> SQLiteDatabase {
        try makeFirstVersion(folder)
        let database = try SQLiteDatabase(folder + "/store.sqlite")
        try StoreSchema.migrate(database, upTo: "3-places")
        return database
    }

    @Test("A file of the third version, which has no checksums")
    func thirdVersion() async throws {
        let scratch = try TemporaryFolder()
        try makeThirdVersion(scratch.path("store")).close()
        try await expectAll(scratch.path("store"))
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(try await store.load().nextRevision == Int64(Self.requests.count) + 1)
        #expect(store.openingReport.damage == nil)
    }

    @Test("A row of a wrong type in a file of an earlier version is reported, and no reason to lose the others")
    func wrongTypes() async throws {
        for spoiling in [
            "UPDATE request SET body = 60 WHERE revision = 1", "UPDATE pending SET anchor = 'x' WHERE revision = 1",
            "UPDATE pending SET id = 5 WHERE revision = 1",
        ] {
            let scratch = try TemporaryFolder()
            let database = try makeThirdVersion(scratch.path("store"))
            try database.execute(spoiling)
            database.close()
            let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
            #expect(try await store.load().pending.map(\.id) == Self.requests.dropFirst().map(\.id), "\(spoiling)")
            let damage = try #require(store.openingReport.damage)
            #expect(damage.reason.contains("wrong type"))
            #expect(damage.requests.map(\.id) == ["date"])
        }
    }

    @Test("A file of an earlier version whose list of migrations is damaged keeps its pending requests")
    func withoutMigrations() async throws {
        let scratch = try TemporaryFolder()
        let database = try makeThirdVersion(scratch.path("store"))
        try database.execute("UPDATE grdb_migrations SET identifier = '2-pendinG' WHERE identifier LIKE '2-%'")
        database.close()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(store.openingReport.damage?.reason.contains("list of migrations") == true)
        #expect(store.openingReport.damage?.saved["pending"] == Self.requests.count)
        try await store.close()
        try await expectAll(scratch.path("store"))
    }

    private func expectAll(_ folder: String) async throws {
        var kinds = TriggerRegistry.standard
        kinds.register(MoonTrigger.self)
        let store = try await SQLiteRequestStore.open(in: folder, options: .init(triggers: kinds))
        let pending = try await store.load().pending
        #expect(pending.map(\.id) == Self.requests.map(\.id))
        #expect(pending.map(\.progress.anchor) == [0, 7, 14, 21, 28, 35])
        #expect(pending.map(\.progress.lastDue) == [0, 11, 22, 33, 44, 55])
        for (item, request) in zip(pending, Self.requests) where request.id != "moon" {
            #expect(item.trigger.map { AnyHashable($0) } == request.trigger.map { AnyHashable($0) })
            #expect(item.traits == RequestTraits.of(request))
            #expect(try await store.request(revision: item.revision) == request)
        }
        #expect(pending.last?.trigger as? MoonTrigger == MoonTrigger(phase: 3))
        #expect(pending.last?.traits.level == .critical && pending.last?.traits.delivery.series == "base")
        #expect(try await store.history(HistoryQuery(outcomes: [.missed])).map(\.requestID) == ["date"])
        try await store.close()
    }

    @Test("Requests of every form, their progress and the ledger")
    func carriesOver() async throws {
        let scratch = try TemporaryFolder()
        try makeFirstVersion(scratch.path("store"))
        try await expectAll(scratch.path("store"))
        try await expectAll(scratch.path("store"))
    }

    @Test("A damaged one is saved as it was written, then carried over")
    func damaged() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        try makeFirstVersion(folder)
        let file = URL(fileURLWithPath: folder + "/store.sqlite")
        // The index of the history: no row is on it.
        let sql = "SELECT rootpage FROM sqlite_master WHERE name = 'ledgerByRequest'"
        let root = try SQLiteDatabase(file.path).first(sql) { $0.integer(0) }
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64(try #require(root) - 1) * 4_096)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        try handle.close()
        let store = try await SQLiteRequestStore.open(in: folder)
        #expect(store.openingReport.damage?.saved["progress"] == Self.requests.count)
        try await store.close()
        try await expectAll(folder)
    }
}
