import CPlaceTrees

@testable import Belfry

/// Regions of 100 to 500 m and positions among them, the same in every run.
struct PlaceSample {
    enum Area: String, CaseIterable {
        case europe = "over Europe"
        case city = "in one city"

        /// Degrees: from Portugal to the Urals and from Crete to the North Cape; or Berlin, 38 km by 45 km.
        var bounds: (south: Double, north: Double, west: Double, east: Double) {
            switch self {
            case .europe: (35, 71, -10, 60)
            case .city: (52.34, 52.68, 13.09, 13.76)
            }
        }
    }

    let area: Area
    let circles: [place_circle]
    let fixes: [place_fix]
    /// What an index takes in.
    var entries: [(region: CircularRegion, slot: Int32)] {
        circles.enumerated().map { number, circle in
            let region = CircularRegion(
                latitude: circle.latitude,
                longitude: circle.longitude,
                radius: circle.radius
            )
            return (region: region, slot: Int32(number))
        }
    }

    init(_ area: Area, count: Int) {
        var random = SplitMix(state: 29_30_31)
        func number(_ range: ClosedRange<Double>) -> Double {
            range.lowerBound + Double(random.next() >> 11) * 0x1p-53 * (range.upperBound - range.lowerBound)
        }
        let bounds = area.bounds
        self.area = area
        circles = (0..<count).map { _ in
            place_circle(
                latitude: number(bounds.south...bounds.north),
                longitude: number(bounds.west...bounds.east),
                radius: number(100...500)
            )
        }
        // Enough of them for some tenths of a second: in a city each has hundreds of hits.
        let fixCount = Effort.count(area == .europe ? 200_000 : min(200_000, 5_000_000_000 / count), tiny: 5_000)
        fixes = (0..<fixCount).map { _ in
            place_fix(latitude: number(bounds.south...bounds.north), longitude: number(bounds.west...bounds.east))
        }
    }

    var index: RegionIndex {
        var index = RegionIndex()
        for entry in entries { index.insert(entry.region, slot: entry.slot) }
        return index
    }

    /// What is compared with, and the time that making it took.
    func withTree<Answer>(
        _ make: (UnsafePointer<place_circle>?, Int) -> OpaquePointer?,
        _ body: (OpaquePointer) throws -> Answer
    ) throws -> Answer {
        guard let tree = circles.withUnsafeBufferPointer({ make($0.baseAddress, $0.count) }) else {
            throw BenchmarkFault(description: "no R-tree")
        }
        defer { place_tree_close(tree) }
        return try body(tree)
    }
}
