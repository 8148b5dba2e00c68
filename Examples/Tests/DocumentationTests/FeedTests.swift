import Belfry
import BelfryRecorder
import BelfryTesting
import Foundation
import Testing

@Suite("Places of a service")
struct FeedTests {
    struct Cafe: Sendable {
        var id: String
        var name: String
        var latitude: Double
        var longitude: Double
    }

    /// A service with a café at each hundredth of a degree.
    struct CafeService: Sendable {
        func nearest(_ count: Int, latitude: Double, longitude: Double) async throws -> [Cafe] {
            let middle = Int((latitude * 100).rounded())
            return (middle - count / 2..<middle + count / 2).map { number in
                Cafe(id: "cafe \(number)", name: "Café \(number)", latitude: Double(number) / 100, longitude: longitude)
            }
        }
    }

    /// Tells of the cafés nearby that a service knows.
    func follow(_ cafes: CafeService, on center: NoticeCenter) async throws {
        let feed = RegionFeed("cafes", nearest: 20, largestRadius: 150) { fix, count in
            try await cafes.nearest(count, latitude: fix.latitude, longitude: fix.longitude).map { cafe in
                let region = CircularRegion(latitude: cafe.latitude, longitude: cafe.longitude, radius: 150)
                return NoticeRequest(id: cafe.id, title: cafe.name, trigger: LocationTrigger(region: region))
            }
        }
        try await center.startMonitoring(feed)
    }

    @Test("The page's feed is kept, and tells of each café on the way once") func walk() async throws {
        let (clock, position, recorder) = (ManualTriggerClock(), ManualLocationProvider(), RecorderBackend())
        let app = AppIdentity(id: "org.example.Cafes")
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock), location: position)
        try await center.run { center in
            try await follow(CafeService(), on: center)
            for step in stride(from: 48.105, through: 48.145, by: 0.001) {
                position.report(latitude: step, longitude: 11.5, accuracy: 10, date: clock.date)
                try await clock.settle()
            }
            #expect(try await center.monitoredFeeds().map(\.pending) == [16])
        }
        #expect(recorder.deliveries.map(\.requestID) == ["cafe 4811", "cafe 4812", "cafe 4813", "cafe 4814"])
    }
}
