import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import Foundation
import Testing

/// A world along the equator, in meters east of its crossing with the prime meridian.
struct RegionWorld: Sendable {
    /// Of a degree of longitude there, on WGS 84.
    static let meters = 111_319.490_793

    let world: World
    let position: ManualLocationProvider

    var clock: ManualTriggerClock { world.clock }
    var center: NoticeCenter { world.center }

    static func run(
        at start: Date = World.start,
        zone: ZoneRules = .utc,
        store: any RequestStore = MemoryRequestStore(),
        options: CenterOptions = CenterOptions(),
        _ body: @escaping @Sendable (RegionWorld) async throws -> Void
    ) async throws {
        let clock = ManualTriggerClock(date: start, zone: zone, patience: World.patience)
        try await run(on: clock, store: store, options: options, body)
    }

    static func run(
        on clock: ManualTriggerClock,
        store: any RequestStore,
        options: CenterOptions = CenterOptions(),
        _ body: @escaping @Sendable (RegionWorld) async throws -> Void
    ) async throws {
        let position = ManualLocationProvider()
        try await World.run(on: clock, store: store, location: position, options: options) { world in
            try await body(RegionWorld(world: world, position: position))
        }
    }

    static func region(at meters: Double = 0, radius: Double = 100) -> CircularRegion {
        CircularRegion(latitude: 0, longitude: meters / Self.meters, radius: radius)
    }

    static func fix(_ meters: Double, accuracy: Double? = 5, at date: Date) -> LocationFix {
        LocationFix(latitude: 0, longitude: meters / Self.meters, accuracy: accuracy, date: date)
    }

    /// The machine is here, so many meters east, and everything that follows is done.
    func go(_ meters: Double, accuracy: Double? = 5, ago: Double = 0) async throws {
        position.report(Self.fix(meters, accuracy: accuracy, at: clock.date.addingTimeInterval(-ago)))
        try await clock.settle()
    }

    func go(_ all: [Double]) async throws { for meters in all { try await go(meters) } }

    func add(_ id: String, _ trigger: LocationTrigger) async throws {
        try await center.add(.sample(id, trigger))
    }

    func crossings(of id: String? = nil) -> [CircularRegion.Crossing?] {
        world.recorder.deliveries.filter { id == nil || $0.requestID == id }.map(\.crossing)
    }

    func details(of id: String) async throws -> [String] {
        try await center.history(HistoryQuery(requestID: id)).map { "\($0.outcome.rawValue): \($0.detail ?? "")" }
    }
}
