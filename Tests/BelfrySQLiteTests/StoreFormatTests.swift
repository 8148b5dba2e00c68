import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("What is in the file, and for whom", .takesTurns)
struct StoreFormatTests {
    @Test("Folders are 0700, files 0600, whatever the umask is")
    func modes() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("state/belfry/apps/org.example"))
        try await store.commit([.put("a", 1)])
        for folder in ["state", "state/belfry", "state/belfry/apps", "state/belfry/apps/org.example"] {
            #expect(scratch.mode(folder) == 0o700, "\(folder)")
        }
        for file in ["store.sqlite", "store.sqlite-wal", "lock"] {
            #expect(scratch.mode("state/belfry/apps/org.example/\(file)") == 0o600, "\(file)")
        }
        #expect(store.openingReport.isEmpty)
    }

    @Test("A folder that others may read is reported, and the file closed to them")
    func openFolder() async throws {
        let scratch = try TemporaryFolder()
        #expect(mkdir(scratch.path("open"), 0o700) == 0)
        #expect(chmod(scratch.path("open"), 0o755) == 0)
        try makeFile(scratch.path("open/store.sqlite"), Data())
        #expect(chmod(scratch.path("open/store.sqlite"), 0o644) == 0)
        let store = try await SQLiteRequestStore.open(in: scratch.path("open"))
        #expect(store.openingReport.warnings.count == 1)
        #expect(scratch.mode("open/store.sqlite") == 0o600)
    }

    @Test("The folder of an app follows XDG_STATE_HOME where that is absolute")
    func paths() throws {
        let app = AppIdentity(id: "org.example.Tea")
        func folder(_ environment: [String: String]) throws -> String {
            try SQLiteRequestStore.folder(for: app, environment: environment)
        }
        #expect(try folder(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/belfry/apps/org.example.Tea")
        #expect(try folder(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/belfry/apps/org.example.Tea")
        #expect(try folder(["HOME": "/h"]) == "/h/.local/state/belfry/apps/org.example.Tea")
        for id in ["", ".", "..", "a/b", "a\nb", String(repeating: "x", count: 256)] {
            let error = #expect(throws: NoticeError.self) {
                try SQLiteRequestStore.folder(for: AppIdentity(id: id), environment: ["HOME": "/h"])
            }
            #expect(error?.code == .invalidIdentifier)
        }
    }

    @Test("Texts that are equal have one key, in the form that Foundation gives them")
    func keys() {
        for text in [
            "tea", "e\u{301}", "\u{e9}", "\u{1100}\u{1161}\u{11a8}", "a\u{323}\u{307}", "a\u{307}\u{323}", "\u{212b}",
            "\u{fb01}",
        ] {
            #expect(StoreSchema.key(text) == Data(text.precomposedStringWithCanonicalMapping.utf8), "\(text)")
        }
        #expect(StoreSchema.key("e\u{301}") == StoreSchema.key("\u{e9}"))
    }

    @Test("Each commit is synced, in a write-ahead log")
    func pragmas() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let found = try await store.perform("ask") { _, database in
            try ["journal_mode", "synchronous", "locking_mode"].map {
                try database.first("PRAGMA \($0)") { $0.value(0) }
            }
        }
        #expect(found == [.text("wal"), .integer(2), .text("exclusive")])
    }

    @Test("A file of a newer version is refused, and not changed")
    func newerVersion() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.perform("pretend") {
            try $1.execute("INSERT INTO grdb_migrations VALUES ('99-of-the-future')")
        }
        try await store.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: scratch.path("store/store.sqlite")))
        let error = await #expect(throws: NoticeError.self) {
            try await SQLiteRequestStore.open(in: scratch.path("store"))
        }
        #expect(error?.code == .storeTooNew)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path("store/store.sqlite"))) == before)
    }

    @Test("A trigger of an unknown kind stays byte for byte through firing, replacing others and reopening")
    func unknownKinds() async throws {
        let scratch = try TemporaryFolder()
        let payload = Data(#"{ "port" : "Cuxhaven", "level": 18446744073709551615, "x": 1.50, "z":[ ] }"#.utf8)
        var store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.put("tide", 1), .put("other", 2), .put("newer", 3)])
        try await store.perform("write as a newer version would") {
            // The second: a kind that is known, in a form that isn't.
            for (revision, kind, payload) in [
                (1 as Int64, Data("tide".utf8), payload), (3, Data("date".utf8), Data(#"{"moon":"full"}"#.utf8)),
            ] {
                try $1.run(
                    "UPDATE request SET kind = ?, payload = ? WHERE revision = ?",
                    [.blob(kind), .blob(payload), .integer(revision)]
                )
                try $1.run(
                    "UPDATE pending SET shape = 6, value = ? WHERE revision = ?",
                    [.integer(TriggerForm.mark(kind, payload)), .integer(revision)]
                )
            }
            try $1.renewSums()
        }
        let state = try await store.load()
        #expect(state.pending.map(\.id) == ["tide", "other", "newer"])
        let unknown = try #require(state.pending.first?.trigger as? TriggerRegistry.UnknownTrigger)
        #expect(unknown.storedKind == "tide")
        #expect(unknown.payload.objectValue?["port"] == .string("Cuxhaven"))
        #expect((state.pending.last?.trigger as? TriggerRegistry.UnknownTrigger)?.storedKind == DateTrigger.kind)
        #expect(store.openingReport.dormant.map(\.requestID) == ["tide", "newer"])
        #expect(store.openingReport.messages.first?.contains("'tide' stays pending and doesn't fire") == true)
        #expect(try await store.request(revision: 1)?.id == "tide")
        try await store.commit([
            .updateProgress(revision: 1, TriggerProgress(anchor: 5)), .removeRequest(revision: 2), .put("other", 4),
        ])
        try await store.close()
        store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(try await store.load().pending.map(\.revision) == [1, 3, 4])
        let bytes = try await store.perform("look") {
            try $1.first("SELECT payload FROM request WHERE revision = 1") { $0.blob(0) }
        }
        #expect(bytes == payload)
    }

    @Test("A kind of the program's own is read through its registry, and dormant without")
    func ownKinds() async throws {
        let scratch = try TemporaryFolder()
        let request = NoticeRequest(id: "moon", title: "Full moon", trigger: MoonTrigger(phase: 3))
        var kinds = TriggerRegistry.standard
        kinds.register(MoonTrigger.self)
        var store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.putRequest(request, revision: 1, TriggerProgress(anchor: 0))])
        #expect(try await store.load().pending.first?.trigger is TriggerRegistry.UnknownTrigger)
        #expect(store.openingReport.dormant.map(\.kind) == ["test.moon"])
        try await store.close()
        store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: .init(triggers: kinds))
        #expect(try await store.load().pending.first?.trigger is MoonTrigger)
        #expect(try await store.request(revision: 1) == request)
        #expect(store.openingReport.isEmpty)
    }

    @Test(
        "A content that can't be read is left where it is, named when it is asked for, and keeps no other from being read"
    )
    func unreadableRows() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit((1...600).map { .put("\($0)", $0) })
        try await store.perform("write as a newer version might") {
            try $1.execute("UPDATE request SET body = X'7B7B' WHERE revision IN (7, 300)")
            try $1.renewSums()
        }
        #expect(try await store.load().pending.count == 600)
        let found = try await store.requests(revisions: Array(1...600))
        #expect(found.keys.sorted() == (1...600).filter { $0 != 7 && $0 != 300 })
        let error = await #expect(throws: NoticeError.self) { try await store.request(revision: 7) }
        #expect(error?.code == .contentUnreadable)
        #expect(error?.isTransient == false)
        #expect(error?.message.contains("revision 7 in '\(store.path)'") == true)
        let kept = try await store.perform("look") {
            try $1.first("SELECT count(*) FROM request") { $0.integer(0) }
        }
        #expect(kept == 600)
    }

    @Test("The ledger keeps the newest so many, and nothing older than so long, while it grows")
    func ledgerLimits() async throws {
        let scratch = try TemporaryFolder()
        let limit = HistoryLimit(count: 80, age: .seconds(50))
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: .init(history: limit))
        for second in 0..<400 {
            // Three lines a second: at first the count is the narrower bound.
            try await store.commit((0..<3).map { .line("\($0)", Double(second)) })
            let count = try await store.history(HistoryQuery()).count
            #expect(count <= 80 + 12, "after \(second) s")
        }
        #expect(try await store.history(HistoryQuery()).last?.date == Date(timeIntervalSince1970: 399))
        // Then the age: ten lines, ten seconds apart, drive all others out.
        for second in stride(from: 410.0, through: 1000, by: 10) { try await store.commit([.line("slow", second)]) }
        let lines = try await store.history(HistoryQuery())
        #expect(lines.allSatisfy { $0.requestID == "slow" })
        #expect((6...16).contains(lines.count), "\(lines.count)")
        #expect(lines.map(\.date) == lines.map(\.date).sorted())
    }

    @Test(
        "The ledger keeps to its limits also where each opening appends a few lines only",
        arguments: [(HistoryLimit(count: 80, age: nil), 84), (HistoryLimit(count: 800, age: .seconds(50)), 30)]
    )
    func ledgerLimitsOfShortOpenings(limit: HistoryLimit, most: Int) async throws {
        let scratch = try TemporaryFolder()
        var counts: [Int] = []
        for opening in 0..<30 {
            let store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: .init(history: limit))
            for number in 0..<5 { try await store.commit([.line("\(number)", Double(opening * 10))]) }
            counts.append(try await store.history(HistoryQuery()).count)
            try await store.close()
        }
        #expect(counts.max() == most, "\(counts)")
    }

    @Test("A ledger with an age beyond all dates keeps everything", arguments: [1e20, -1e20])
    func extremeAge(seconds: Double) async throws {
        let scratch = try TemporaryFolder()
        let limit = HistoryLimit(count: nil, age: .seconds(seconds))
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: .init(history: limit))
        for second in 0..<100 { try await store.commit((0..<10).map { .line("\($0)", Double(second)) }) }
        #expect(try await store.history(HistoryQuery()).count == 1_000)
    }
}

struct MoonTrigger: WallClockTrigger {
    static let kind: TriggerKind = "test.moon"
    var phase: Int
    var repeats: Bool { true }

    func nextDate(after date: Date, in context: TriggerContext) -> Date? { date.addingTimeInterval(29.5 * 86_400) }
}
