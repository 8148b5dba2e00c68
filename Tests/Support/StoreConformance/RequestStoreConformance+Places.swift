import Belfry
import BelfryTesting

extension RequestStoreConformance {
    func keepsPlaces() async throws {
        let store = try await makeStore()
        let odd = CircularRegion(latitude: -89.999_999_999_999, longitude: 180, radius: 0.1 + 0.2 + 1)
        let town = CircularRegion(latitude: 48.137, longitude: 11.575, radius: 150)
        var triggers: [LocationTrigger] = []
        for edge in CircularRegion.Edge.allCases {
            for repeats in [false, true] {
                triggers.append(LocationTrigger(region: odd, edge: edge, repeats: repeats))
                triggers.append(LocationTrigger(region: town, edge: edge, dwell: .seconds(90), repeats: repeats))
                triggers.append(LocationTrigger(region: odd, edge: edge, repeats: repeats, during: "Mon..Fri 08..18:*"))
                triggers.append(
                    LocationTrigger(region: town, edge: edge, repeats: repeats, during: "Mon..Fri 08..18:*")
                )
            }
        }
        // A dwell time of less than a microsecond.
        triggers.append(LocationTrigger(region: town, dwell: Duration(secondsComponent: 0, attosecondsComponent: 1)))
        try await store.commit(
            triggers.enumerated().map { number, trigger in
                .putRequest(
                    NoticeRequest(id: "place \(number)", title: "Place", trigger: trigger),
                    revision: Int64(number + 1),
                    TriggerProgress(anchor: 0)
                )
            }
        )
        var state = try await store.load()
        let found = state.pending.compactMap { $0.trigger as? LocationTrigger }
        try expectEqual(found, triggers, "The triggers")
        try expectEqual(state.places, [:], "What is known of regions that were never judged")
        try expectEqual(state.placeMarks, RegionMarks(), "The marks before the first fix")

        let dwelling = RegionProgress(isInside: false, since: TriggerInstant(wall: .max / 2, boot: -5))
        var marks = RegionMarks(evaluated: [.init(revision: 3, accuracy: 250.5)], lastFix: 1_800_000_000_000_000)
        try await store.commit([
            .putPlace(revision: 1, RegionProgress(isInside: true)),
            .putPlace(revision: 2, RegionProgress(isInside: true)),
            .putPlace(revision: 3, dwelling), .putPlaceMarks(RegionMarks()),
        ])
        try await store.commit([
            .putPlace(revision: 1, nil), .removeRequest(revision: 1), .putPlace(revision: 2, dwelling),
            .putPlace(revision: 4, nil), .putPlaceMarks(marks),
        ])
        state = try await store.load()
        try expectEqual(state.places, [2: dwelling, 3: dwelling], "What is known of the regions")
        try expectEqual(state.placeMarks, marks, "The marks")
        marks.evaluate(through: 4, accuracy: 12)
        try await store.commit([.putPlaceMarks(marks)])
        state = try await store.load()
        try expectEqual(state.placeMarks, marks, "The marks after they were put again")
    }

    func keepsFeeds() async throws {
        let store = try await makeStore()
        try expectEqual(try await store.load().feeds, [:], "The feeds before any was put")
        let first = RegionFeedRecord(latitude: 0.1 + 0.2, longitude: -180)
        let ids = (0..<2 * RegionFeedRecord.limit).map { "place \($0)" }
        let second = RegionFeedRecord(latitude: 48.137, longitude: 11.575, done: ids)
        try expectEqual(second.done, Array(ids.suffix(RegionFeedRecord.limit)), "What is remembered as done")
        try await store.commit([.putFeed("a", first), .putFeed("é", first), .putFeed("gone", second)])
        try await store.commit([.putFeed("a", second), .putFeed("gone", nil), .putFeed("never", nil)])
        try expectEqual(try await store.load().feeds, ["a": second, "é": first], "The feeds")
    }
}
