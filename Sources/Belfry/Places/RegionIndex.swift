import Foundation

/// STAND-IN of the spatial index, a plain loop: replaced by the real one of the same name, never merged.
struct RegionIndex: Sendable {
    private var regions: [Int32: CircularRegion] = [:]

    init() {}

    var count: Int { regions.count }

    mutating func insert(_ region: CircularRegion, slot: Int32) { regions[slot] = region }

    mutating func remove(slot: Int32) { regions[slot] = nil }

    func region(of slot: Int32) -> CircularRegion? { regions[slot] }

    func forEachContaining(latitude: Double, longitude: Double, _ body: (Int32, _ distance: Double) -> Void) {
        for (slot, region) in regions {
            let distance = Self.distance(region, latitude, longitude)
            if distance <= region.radius { body(slot, distance) }
        }
    }

    func distanceToNearestBorder(latitude: Double, longitude: Double, limit: Double) -> Double {
        regions.values.reduce(limit) { min($0, abs(Self.distance($1, latitude, longitude) - $1.radius)) }
    }

    func distance(of slot: Int32, latitude: Double, longitude: Double) -> Double? {
        regions[slot].map { Self.distance($0, latitude, longitude) }
    }

    private static func distance(_ region: CircularRegion, _ latitude: Double, _ longitude: Double) -> Double {
        let (first, second) = (region.latitude * .pi / 180, latitude * .pi / 180)
        let (north, east) = (second - first, (longitude - region.longitude) * .pi / 180)
        let root = sin(north / 2) * sin(north / 2) + cos(first) * cos(second) * sin(east / 2) * sin(east / 2)
        return 2 * 6_371_008.8 * asin(min(1, root.squareRoot()))
    }
}
