import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("Rows of the first version that are not like the others", .takesTurns)
struct EarlierRowTests {
    private func makeFirstVersion(_ folder: String, _ rows: [RequestRow]) throws {
        let database = try EarlierVersion.first.makeFile(in: folder)
        defer { database.close() }
        for row in rows {
            try EarlierVersion.first.insert(row, of: nil, TriggerProgress(anchor: 7, fired: 1), into: database)
        }
    }

    @Test("A region is carried over, with its shape and its dwell time")
    func region() async throws {
        let scratch = try TemporaryFolder()
        let region = CircularRegion(latitude: 52.5, longitude: 13.4, radius: 150)
        let trigger = LocationTrigger(region: region, edge: .exit, dwell: .seconds(90), repeats: true)
        let request = NoticeRequest(id: "away", title: "Away", trigger: trigger)
        try makeFirstVersion(scratch.path("store"), [try RequestRow(request, revision: 1, JSONEncoder())])
        for _ in 1...2 {
            let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
            let pending = try #require(try await store.load().pending.first)
            #expect(pending.trigger as? LocationTrigger == trigger)
            #expect(try await store.request(revision: 1) == request)
            try await store.close()
        }
    }

    @Test("What can't be read is kept and said, and the others go on")
    func unreadable() async throws {
        let scratch = try TemporaryFolder()
        let garbage = RequestRow(revision: 2, body: Data("tea at five".utf8), kind: nil, payload: nil)
        let rows = [try RequestRow(.sample("date"), revision: 1, JSONEncoder()), garbage]
        try makeFirstVersion(scratch.path("store"), rows)
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(store.openingReport.damage == nil)
        #expect(try await store.load().pending.map(\.id) == ["date"])
        let unreadable = try #require(store.openingReport.unreadable.first)
        #expect(unreadable.row == 2)
        #expect(unreadable.reason.contains("could not be carried over"))
        #expect(try await store.load().nextRevision == 3)
        try await store.perform("look") { file, database in
            let body = try database.first("SELECT body FROM request WHERE revision = 2") { $0.blob(0) }
            #expect(body == garbage.body)
        }
    }
}
