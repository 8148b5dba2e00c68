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

    private func makeFile(_ folder: String, _ version: EarlierVersion) throws -> SQLiteDatabase {
        let database = try version.makeFile(in: folder)
        let encoder = JSONEncoder()
        try database.transaction {
            for (index, request) in Self.requests.enumerated() {
                let row = try RequestRow(request, revision: Int64(index + 1), encoder)
                let (anchor, lastDue) = (Int64(index * 7), Int64(index * 11))
                let progress = TriggerProgress(anchor: anchor, fired: index, lastDue: lastDue, lastLocal: nil)
                try version.insert(row, of: request, progress, into: database)
            }
            let line = HistoryEntry(requestID: "date", date: Date(timeIntervalSince1970: 5), outcome: .missed)
            try version.insert(line, into: database)
        }
        return database
    }

    @Test("Requests of every form, their progress and the ledger", arguments: EarlierVersion.allCases)
    func carriesOver(version: EarlierVersion) async throws {
        let scratch = try TemporaryFolder()
        try makeFile(scratch.path("store"), version).close()
        try await expectAll(scratch.path("store"))
        try await expectAll(scratch.path("store"))
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(try await store.load().nextRevision == Int64(Self.requests.count) + 1)
        #expect(store.openingReport.damage == nil)
    }

    @Test("No revision is given twice, though its row was gone before", arguments: EarlierVersion.allCases)
    func highestRevision(version: EarlierVersion) async throws {
        let scratch = try TemporaryFolder()
        let database = try makeFile(scratch.path("store"), version)
        try database.execute("UPDATE sqlite_sequence SET seq = 90 WHERE name = 'request'")
        database.close()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(try await store.load().nextRevision == 91)
    }

    @Test("One that is carried over has the tables of a new one", arguments: EarlierVersion.allCases)
    func sameTables(version: EarlierVersion) async throws {
        let scratch = try TemporaryFolder()
        try makeFile(scratch.path("old"), version).close()
        var found: [[String]] = []
        for name in ["old", "new"] {
            let store = try await SQLiteRequestStore.open(in: scratch.path(name))
            found.append(
                try await store.perform("look") { _, database in
                    let rule = "name NOT LIKE 'sqlite_%' ORDER BY name"
                    return try database.all("SELECT sql FROM sqlite_master WHERE \(rule)") { $0.text(0) }
                        + database.all("SELECT identifier FROM grdb_migrations ORDER BY 1") { $0.text(0) }
                }
            )
            try await store.close()
        }
        #expect(found[0] == found[1])
        #expect(found[0].count == 10 + StoreSchema.versions.count)
    }

    @Test("A row of a wrong type in a file of an earlier version is reported, and no reason to lose the others")
    func wrongTypes() async throws {
        for spoiling in [
            "UPDATE request SET body = 60 WHERE revision = 1", "UPDATE pending SET anchor = 'x' WHERE revision = 1",
            "UPDATE pending SET id = 5 WHERE revision = 1",
        ] {
            let scratch = try TemporaryFolder()
            let database = try makeFile(scratch.path("store"), .third)
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
        let database = try makeFile(scratch.path("store"), .third)
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

    @Test("A damaged one is saved as it was written, then carried over", arguments: EarlierVersion.allCases)
    func damaged(version: EarlierVersion) async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        try makeFile(folder, version).close()
        let file = URL(fileURLWithPath: folder + "/store.sqlite")
        // The index of the history: no row is on it.
        let sql = "SELECT rootpage FROM sqlite_master WHERE name = 'ledgerByRequest'"
        let root = try SQLiteDatabase(file.path).first(sql) { $0.integer(0) }
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64(try #require(root) - 1) * 4_096)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        try handle.close()
        let store = try await SQLiteRequestStore.open(in: folder)
        #expect(store.openingReport.damage?.losses == [])
        #expect(store.openingReport.damage?.saved[version == .first ? "progress" : "pending"] == Self.requests.count)
        try await store.close()
        try await expectAll(folder)
    }
}
