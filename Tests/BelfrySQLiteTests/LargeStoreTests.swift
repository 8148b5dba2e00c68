import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("A large file, which opening doesn't read whole, is checked as it is read", .takesTurns)
struct LargeStoreTests {
    private static let fillers: Int64 = 70
    private static let fillerIDs = (1...fillers).map { "filler \($0)" }
    /// The revision of the request that waits for a region; what is damaged belongs to it.
    private static let tea = fillers + 1

    /// More than 16 MB with a row in each table, closed as by a program that ends.
    private static func makeStore(_ folder: String) async throws {
        let store = try await SQLiteRequestStore.open(in: folder)
        let body = String(repeating: "x", count: 250_000)
        let region = CircularRegion(latitude: 1, longitude: 2, radius: 100)
        let request = NoticeRequest(id: "tea", title: "Tea", trigger: LocationTrigger(region: region))
        let due = TriggerInstant(wall: 1, boot: 1)
        let response = NoticeResponse(id: "r", requestID: "old", deliveryID: "d", kind: .opened, date: .distantPast)
        try await store.commit(
            zip(Self.fillerIDs, 1...).map { .put($0, $1, body: body) } + [
                .putRequest(request, revision: tea, TriggerProgress(anchor: 1)),
                .putPlace(revision: tea, RegionProgress(isInside: true)),
                .putDelivery(
                    DeliveryRecord(
                        id: "d",
                        requestID: "old",
                        revision: 1,
                        dueAt: due,
                        traits: DeliveryTraits(request)
                    )
                ),
                .putResponse(response),
                .putAuthorization(.authorized),
                .line("tea", 1), .line("tea", 2),
            ]
        )
        try await store.close()
    }

    /// Makes a store in which a row no longer matches its checksum.
    private static func makeDamaged(_ table: String, where rule: String = "true") async throws -> TemporaryFolder {
        let scratch = try TemporaryFolder()
        try await makeStore(scratch.path("store"))
        let database = try SQLiteDatabase(scratch.path("store/store.sqlite"))
        try database.execute("UPDATE \(table) SET sum = sum + 1 WHERE \(rule)")
        database.close()
        #expect(!StoreFolder(path: scratch.path("store")).needsCheck)
        return scratch
    }

    @Test(
        "A damaged row is never taken for data: it is reported and salvaged around",
        arguments: ["pending", "place", "delivery", "response", "setting", "header"]
    )
    func damagedRow(table: String) async throws {
        let scratch = try await Self.makeDamaged(table, where: table == "pending" ? "id = CAST('tea' AS BLOB)" : "true")
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let damage = try #require(store.openingReport.damage)
        // Without its header row the file holds no transaction that anybody was promised.
        let reason = table == "header" ? "transactions that were acknowledged are missing" : "the table '\(table)'"
        #expect(damage.reason.contains(reason), "\(damage.reason)")
        #expect(StoreDamageLog(folder: store.folder).reports().map(\.id) == [damage.id])
        let state = try await store.load()
        #expect(state.pending.map(\.id) == Self.fillerIDs + (table == "pending" ? [] : ["tea"]))
        #expect(damage.requests.map(\.id) == (table == "pending" ? ["tea"] : []))
        #expect(state.places[Self.tea]?.isInside == (["pending", "place"].contains(table) ? nil : true))
        #expect(state.deliveries.map(\.id) == (table == "delivery" ? [] : ["d"]))
        #expect(state.responses.map(\.id) == (table == "response" ? [] : ["r"]))
        #expect(state.authorization == (table == "setting" ? nil : .authorized))
        #expect(state.nextRevision > Self.tea)
        try await store.close()
        #expect(try await SQLiteRequestStore.open(in: store.folder).openingReport.damage == nil)
    }

    @Test("A damaged line of the history is left out and reported, and the next opening checks the whole file")
    func damagedLine() async throws {
        let scratch = try await Self.makeDamaged("ledger", where: "serial = 1")
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(store.openingReport.damage == nil)
        #expect(try await store.history(HistoryQuery()).map(\.date.timeIntervalSince1970) == [2])
        let log = StoreDamageLog(folder: store.folder)
        #expect(log.reports().map(\.reason) == ["lines of the history don't match their checksums"])
        try await store.close()
        let again = try await SQLiteRequestStore.open(in: store.folder)
        #expect(again.openingReport.damage?.reason.contains("ledger") == true)
        #expect(try await again.load().pending.map(\.id) == Self.fillerIDs + ["tea"])
    }
}
