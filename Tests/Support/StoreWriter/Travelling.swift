import Belfry
import BelfrySQLite
import BelfryTesting
import Foundation
import SeededRandom
import StoreWorkload

/// An app whose requests wait for places, on a machine that travels between them, for as long as it is let live. It
/// says what it does before and after:
///
///   adding ID KIND SPOT · added ID · removing ID · removed ID      by the app's calls
///   going SPOT… · been                                             fixes, one after the other, and all that came of them
///   shown DELIVERY ID first|repeated CROSSING                      by the backend
///   idle                                                           nothing is under way, and no stay is about to end
///
/// Spots 1 to 5 each have a region of 100 m around them, 0 has none; with a `~` the fix is too rough to count. The
/// kinds are `both` (each crossing), `in` and `out` (once), `stay` (in, and there for a microsecond: so the next fix
/// finds it over), `long` (in, and there for an hour: which never is).
struct Travel: Sendable {
    let folder: String
    let seed: UInt64
    /// Tells identifiers of several lives apart.
    let number: Int
    /// How many things to do; then it waits until all that came of them is done, and ends.
    let steps: Int

    private static let spots = 5

    func run() async throws {
        say("begun")
        let store = try await SQLiteRequestStore.open(in: folder, options: options)
        let position = ManualLocationProvider()
        let app = AppIdentity(id: "org.example.Travel")
        let center = NoticeCenter(app: app, backend: LogBackend(), store: NoticeStore(store), location: position)
        let progress = await center.events()
        try await center.run { center in
            await center.quiet()
            try await travel(center, position)
            try await center.becomeIdle(store, progress)
        }
        try await store.close()
        say("idle")
    }

    private func travel(_ center: NoticeCenter, _ position: ManualLocationProvider) async throws {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        var mine: [String] = []
        for step in 0..<steps {
            // However short the life, a border is crossed.
            switch step < 3 ? step : random.number(0...9) {
            case 0, 3...4:
                let kind = step == 0 ? "both" : ["both", "in", "out", "stay", "long"][random.number(0...4)]
                let id = "\(kind)-\(number).\(step)"
                let spot = random.number(1...Self.spots)
                say("adding \(id) \(kind) \(spot)")
                try await center.add(NoticeRequest(id: id, title: "Place", trigger: Self.trigger(kind, spot)))
                say("added \(id)")
                // The first one stays: while none is pending nobody asks where the machine is.
                if step > 0 { mine.append(id) }
            case 1: try await go([0], center, position)
            case 2: try await go((1...Self.spots).map { $0 }, center, position)
            case 5:
                guard let index = mine.indices.randomElement(using: &random) else { continue }
                let id = mine.remove(at: index)
                say("removing \(id)")
                try await center.remove(id)
                say("removed \(id)")
            case 6: try await go([random.number(1...Self.spots)], center, position, isRough: true)
            case 7:
                // They may come in one commit, or in several.
                try await go((0...random.number(1...4)).map { _ in random.number(0...Self.spots) }, center, position)
            default: try await go([random.number(0...Self.spots)], center, position)
            }
        }
    }

    private func go(
        _ spots: [Int],
        _ center: NoticeCenter,
        _ position: ManualLocationProvider,
        isRough: Bool = false
    ) async throws {
        await center.quiet()
        say("going \(spots.map { "\($0)\(isRough ? "~" : "")" }.joined(separator: " "))")
        var last = Date()
        for spot in spots {
            var now = Date()
            // Two of one moment are no stay in between.
            while now.timeIntervalSince(last) < 5e-6 { now = Date() }
            last = now
            let place = Self.region(spot)
            position.report(
                latitude: spot == 0 ? 1 : place.latitude,
                longitude: place.longitude,
                accuracy: isRough ? 300 : 10,
                date: now
            )
        }
        await center.quiet()
        say("been")
    }

    private static func region(_ spot: Int) -> CircularRegion {
        CircularRegion(latitude: 0, longitude: Double(spot) / 100, radius: 100)
    }

    private static func trigger(_ kind: String, _ spot: Int) -> LocationTrigger {
        let region = region(spot)
        return switch kind {
        case "in": LocationTrigger(region: region)
        case "out": LocationTrigger(region: region, edge: .exit)
        case "stay": LocationTrigger(region: region, dwell: .microseconds(1), repeats: true)
        case "long": LocationTrigger(region: region, dwell: .seconds(3_600), repeats: true)
        default: LocationTrigger(region: region, edge: .both, repeats: true)
        }
    }
}
