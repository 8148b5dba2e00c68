import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("Places in a SQLite store", .takesTurns)
struct RegionsOnDiskTests {
    private static let here = CircularRegion(latitude: 0, longitude: 0, radius: 100)

    private func life(
        _ folder: String,
        _ clock: ManualTriggerClock,
        _ body: @escaping @Sendable (AppLife, ManualLocationProvider) async throws -> Void
    ) async throws {
        let position = ManualLocationProvider()
        try await AppLife.run(in: folder, clock, location: position) { try await body($0, position) }
    }

    /// So many meters east, by the equator's degree.
    private static func go(_ meters: Double, _ position: ManualLocationProvider, _ clock: ManualTriggerClock)
        async throws
    {
        position.report(latitude: 0, longitude: meters / 111_319.490_793, accuracy: 5, date: clock.date)
        try await clock.settle()
    }

    @Test("Who sleeps outside and wakes inside has entered, over restarts and a reboot; a stay goes on") func lives()
        async throws
    {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let clock = ManualTriggerClock(date: AppLife.start, zone: .utc)
        try await life(folder, clock) { life, position in
            try await life.center.add([
                NoticeRequest(
                    id: "home",
                    title: "Home",
                    trigger: LocationTrigger(region: Self.here, edge: .both, repeats: true)
                ),
                NoticeRequest(
                    id: "stay",
                    title: "Stay",
                    trigger: LocationTrigger(region: Self.here, dwell: .seconds(600))
                ),
                NoticeRequest(
                    id: "work",
                    title: "Work",
                    trigger: LocationTrigger(region: Self.here, edge: .exit, repeats: true, during: "*:0/1")
                ),
            ])
            try await Self.go(500, position, clock)
        }
        try await life(folder, clock) { life, position in
            #expect(life.delivered() == [])
            try await Self.go(0, position, clock)
            #expect(life.delivered() == ["home"])
        }
        try await clock.reboot(taking: .seconds(300))
        try await life(folder, clock) { life, position in
            #expect(try await life.center.locationReport().inside == 3)
            try await clock.advance(by: .seconds(300))
            #expect(life.delivered() == ["stay"])
            #expect(life.late("stay") == .zero)
            try await Self.go(20, position, clock)
            try await Self.go(500, position, clock)
            #expect(life.delivered() == ["stay", "home", "work"])
            #expect(try await life.lines(of: "work").last?.detail == "the region was left")
        }
    }

    @Test("Killed at any commit: a crossing is shown, and shown once unless it was on its way") func killed()
        async throws
    {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: AppLife.start, zone: .utc)
        try await life(scratch.path("store"), clock) { life, position in
            try await life.center.add(
                NoticeRequest(
                    id: "home",
                    title: "Home",
                    trigger: LocationTrigger(region: Self.here, edge: .both, repeats: true)
                )
            )
            for (number, meters) in [500.0, 0, 500, 0].enumerated() {
                try await Self.go(meters, position, clock)
                // The files as they lie on the disk, without a farewell.
                try scratch.copyStore("store", to: "copy \(number + 1)")
            }
        }
        for number in 1...4 {
            try await life(scratch.path("copy \(number)"), clock) { life, position in
                // Where the fix before had put it, and no alarm for being there.
                let isInside = number.isMultiple(of: 2)
                #expect(try await life.center.locationReport().inside == (isInside ? 1 : 0))
                try await Self.go(isInside ? 0 : 500, position, clock)
                #expect(life.delivered() == [])
                try await Self.go(isInside ? 500 : 0, position, clock)
                #expect(life.delivered() == ["home"])
            }
        }
    }

    @Test("Requests with places are loaded without a look at their contents") func withoutContents() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let store = try await SQLiteRequestStore.open(in: folder)
        try await store.commit(
            (1...50).map { number in
                let trigger = LocationTrigger(
                    region: CircularRegion(latitude: Double(number), longitude: -Double(number), radius: 150),
                    edge: number % 2 == 0 ? .exit : .entry,
                    during: number % 5 == 0 ? "08..18:*" : nil
                )
                return .putRequest(
                    NoticeRequest(id: "\(number)", title: "Place", trigger: trigger),
                    revision: Int64(number),
                    TriggerProgress(anchor: 0)
                )
            }
        )
        try await store.close()
        // But for one of each window: that text is read once.
        let database = try SQLiteDatabase(folder + "/store.sqlite")
        try database.execute("UPDATE request SET payload = CAST('{' AS BLOB) WHERE revision > 10")
        try database.renewSums()
        database.close()
        let again = try await SQLiteRequestStore.open(in: folder)
        let pending = try await again.load().pending
        #expect(pending.count == 50)
        for (index, request) in pending.enumerated() {
            let place = try #require(request.trigger as? LocationTrigger)
            #expect(place.region.latitude == Double(index + 1) && place.region.longitude == -Double(index + 1))
            #expect(place.during == ((index + 1) % 5 == 0 ? "08..18:*" : nil))
        }
        try await again.close()
    }
}
