import Belfry
import BelfryGPSD
import BelfryGeoClue
import BelfryLocationReplay
import BelfryTesting
import Foundation
import Testing

@Suite("Where the machine is")
struct LocationTests {
    let app = AppIdentity(id: "org.example.Tea")

    /// GeoClue where the desktop has it, else a receiver.
    func provider() async throws -> any LocationProvider {
        let desktop = GeoClueProvider(for: app)
        do { _ = try await desktop.bestAccuracy() } catch {
            print(error.message)
            return GPSDProvider()
        }
        return desktop
    }

    /// A center that takes requests that wait for a region.
    func center(_ backend: any DeliveryBackend) async throws -> NoticeCenter {
        NoticeCenter(app: app, backend: backend, location: try await provider())
    }

    /// Prints positions for as long as its task lives.
    func follow(_ provider: any LocationProvider) async throws {
        let demands = LocationDemand.Source(LocationDemand(accuracy: 100, distance: 50))
        try await provider.run(demands: demands.demands) { fix in
            print(fix.latitude, fix.longitude, fix.accuracy ?? .nan, fix.date)
        }
    }

    @Test("There is a provider, whatever the machine has") func choice() async throws {
        let provider = try await provider()
        #expect(["geoclue", "gpsd"].contains(provider.name))
        let following = Task { try await follow(provider) }
        following.cancel()
        _ = await following.result
    }

    @Test("A walk of two minutes takes no time") func replay() async throws {
        let clock = ManualTriggerClock()
        let walk = (0...2).map { minute in
            LocationFix(latitude: 52.5, longitude: 13.4 + Double(minute) / 100, date: clock.date + Double(minute) * 60)
        }
        let provider = try ReplayLocationProvider(walk, clock: .manual(clock))
        let seen = FixRecord()
        let run = Task { try await provider.run(demands: LocationDemand.Updates(near)) { seen.add($0) } }
        _ = try await seen.wait(for: 1)
        try await clock.advance(by: .seconds(120))
        #expect(seen.all == walk)
        run.cancel()
        try await run.value
    }

    let near = LocationDemand(accuracy: 50, distance: 10)

    @Test("Positions of a file, without a provider") func file() throws {
        let path = NSTemporaryDirectory() + "walk-\(UUID().uuidString).gpx"
        try "<gpx><trk><trkseg><trkpt lat='52.5' lon='13.4'/></trkseg></trk></gpx>"
            .write(toFile: path, atomically: true, encoding: .utf8)
        let track = try LocationTrack(contentsOf: path, pace: TrackPace(speed: 5, from: .now))
        #expect(track.fixes.count == 1 && track.leftOut == 0)
    }
}
