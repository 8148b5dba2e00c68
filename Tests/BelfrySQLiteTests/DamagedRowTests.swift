import Belfry
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("Rows that are not what they were, in an otherwise sound file", .takesTurns)
struct DamagedRowTests {
    private static let daily = NoticeRequest(
        id: "daily",
        title: "Daily",
        trigger: CalendarTrigger(matching: DateFields(hour: 8), repeats: true)
    )
    private static let home: NoticeRequest = {
        let region = CircularRegion(latitude: 52.5, longitude: 13.4, radius: 150)
        let trigger = LocationTrigger(region: region)
        return NoticeRequest(id: "home", content: NoticeContent(title: "Home"), trigger: trigger, series: "places")
    }()

    private let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func open() async throws -> SQLiteRequestStore {
        try await SQLiteRequestStore.open(in: scratch.path("store"))
    }

    /// A store with three requests in which a statement then changes something.
    private func store(renewingSums: Bool, _ spoiling: String) async throws -> SQLiteRequestStore {
        let store = try await open()
        let progress = TriggerProgress(anchor: 7)
        try await store.commit([
            .put("date", 1), .putRequest(Self.daily, revision: 2, progress),
            .putRequest(Self.home, revision: 3, progress),
        ])
        try await store.perform("spoil") { _, database in
            try database.execute(spoiling)
            if renewingSums { try database.renewSums() }
        }
        return store
    }

    @Test("A region that is missing is named, and keeps no other request from being read") func region() async throws {
        let store = try await store(renewingSums: true, "UPDATE pending SET latitude = NULL WHERE revision = 3")
        #expect(try await store.load().pending.map(\.id) == ["date", "daily"])
        let unreadable = try #require(store.openingReport.unreadable.first)
        #expect(unreadable.table == "pending" && unreadable.row == 3)
        #expect(unreadable.reason.contains("the region is missing"))
        #expect(store.openingReport.damage == nil)
    }

    @Test("A request whose traits can't be read is named, and fires with the usual ones") func traits() async throws {
        let store = try await store(renewingSums: true, "UPDATE pending SET traits = X'7B' WHERE revision = 3")
        let state = try await store.load()
        #expect(state.pending.map(\.id) == ["date", "daily", "home"])
        #expect(state.pending.last?.traits == RequestTraits.usual)
        #expect(store.openingReport.unreadable.map(\.row) == [3])
    }

    @Test(
        "A trigger that was lost with its content is reported while the store is open, and repaired at the next opening"
    )
    func content() async throws {
        var store = try await store(renewingSums: false, "DELETE FROM request WHERE revision = 2")
        #expect(try await store.load().pending.map(\.id) == ["date", "home"])
        let reports = StoreDamageLog(folder: store.folder).reports()
        #expect(reports.count == 1)
        #expect(reports.first?.reason.contains("row 2 of the table 'request'") == true)
        try await store.close()
        store = try await open()
        #expect(try await store.load().pending.map(\.id) == ["date", "home"])
        #expect(store.openingReport.damage?.requests.map(\.id) == ["daily"])
    }

    @Test("A header that does not match its checksum is replaced, and no revision is given twice")
    func header() async throws {
        var store = try await store(renewingSums: false, "UPDATE header SET pending = pending + 1")
        _ = try await store.load()
        let report = try #require(StoreDamageLog(folder: store.folder).reports().first)
        #expect(report.reason.contains("table 'header'"))
        try await store.close()
        store = try await open()
        let state = try await store.load()
        #expect(state.pending.map(\.id) == ["date", "daily", "home"])
        #expect(state.nextRevision == 4)
        #expect(store.openingReport.damage?.requests == [])
    }

    @Test("A delivery that does not match its checksum is named by its request, which is not pending any more")
    func delivery() async throws {
        var store = try await store(renewingSums: false, "SELECT 1")
        let deliveries = (1...2 as ClosedRange<Int64>).map { revision in
            var record = DeliveryRecord(
                id: "delivery \(revision)",
                requestID: revision == 1 ? "date" : "daily",
                revision: revision,
                dueAt: TriggerInstant(wall: 5, boot: 5),
                traits: RequestTraits.usual.delivery
            )
            record.wait = .quietHours(until: 9)
            return StoreChange.putDelivery(record)
        }
        try await store.commit([.removeRequest(revision: 1)] + deliveries)
        try await store.perform("spoil") { _, database in
            let spoiled = "CAST(replace(CAST(body AS TEXT), 'quietHours', 'quietHourz') AS BLOB)"
            try database.execute("UPDATE delivery SET body = \(spoiled)")
        }
        try await store.close()
        store = try await open()
        // The other one still has its request.
        let damage = try #require(store.openingReport.damage)
        #expect(damage.requests.map(\.id) == ["date"])
        #expect(damage.requests.map(\.reason) == ["its notice is lost"])
        #expect(damage.message.contains("notices that waited or were on the screen: 'date'."))
        let state = try await store.load()
        #expect(state.deliveries.isEmpty && state.pending.map(\.id) == ["daily", "home"])
        #expect(try await store.history(HistoryQuery(requestID: "date")).map(\.outcome) == [.damaged])
    }

    @Test("A list of versions with a gap is damage, and costs no request") func gap() async throws {
        let store = try await store(
            renewingSums: false,
            "DELETE FROM grdb_migrations WHERE identifier = '\(StoreSchema.versions[1])'"
        )
        try await store.close()
        let again = try await open()
        #expect(again.openingReport.damage?.reason.contains("has a gap") == true)
        #expect(try await again.load().pending.map(\.id) == ["date", "daily", "home"])
        try await again.close()
        #expect(try await open().openingReport.damage == nil)
    }
}
