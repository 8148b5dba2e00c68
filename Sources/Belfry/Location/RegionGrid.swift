/// A region in a ``RegionIndex``.
struct RegionSite: Sendable {
    let center: EarthPoint
    let region: CircularRegion
    let slot: Int32

    init(_ region: CircularRegion, slot: Int32) {
        center = EarthPoint(region)
        self.region = region
        self.slot = slot
    }
}

/// Regions by the cubes in space that their centers are in.
///
/// The cubes divide the space in which ``EarthPoint/vector`` is, which knows no longitude: to them, poles and the
/// antimeridian are like any other place.
struct RegionGrid: Sendable {
    struct Cube: Hashable, Sendable {
        var x: Int32
        var y: Int32
        var z: Int32
    }

    /// Where a region is kept.
    struct Spot: Sendable {
        var cube: Cube
        var position: Int
    }

    /// Meters: the length of a cube's edge.
    let edge: Double
    /// No region ever had a larger radius.
    private(set) var largestRadius = 0.0
    private var cubes: [Cube: [RegionSite]] = [:]

    init(edge: Double) { self.edge = edge }

    subscript(spot: Spot) -> RegionSite? { cubes[spot.cube]?[spot.position] }

    mutating func insert(_ site: RegionSite) -> Spot {
        largestRadius = max(largestRadius, site.region.radius)
        let cube = cube(at: site.center.vector)
        cubes[cube, default: []].append(site)
        return Spot(cube: cube, position: cubes[cube, default: []].count - 1)
    }

    /// Returns the slot of the region that is at the spot now; nil where there is none.
    mutating func remove(at spot: Spot) -> Int32? {
        guard var sites = cubes.removeValue(forKey: spot.cube) else { return nil }
        sites.swapAt(spot.position, sites.count - 1)
        sites.removeLast()
        guard !sites.isEmpty else { return nil }
        defer { cubes[spot.cube] = sites }
        return spot.position < sites.count ? sites[spot.position].slot : nil
    }

    /// Calls `body` with the regions whose centers are within a distance of a point, in meters, and with some others.
    ///
    /// Looks at the cubes around the point, or at all of them where these are fewer.
    func forEachSite(within distance: Double, of point: EarthPoint, _ body: (RegionSite) -> Void) {
        // The sphere's diameter is 2.
        let reach = min(distance / EarthPoint.leastScale, 2)
        let (low, high) = (cube(at: point.vector - reach), cube(at: point.vector + reach))
        let count = Int(high.x - low.x + 1) * Int(high.y - low.y + 1) * Int(high.z - low.z + 1)
        guard count <= cubes.count else {
            for sites in cubes.values { for site in sites { body(site) } }
            return
        }
        for x in low.x...high.x {
            for y in low.y...high.y {
                for z in low.z...high.z {
                    let cube = Cube(x: x, y: y, z: z)
                    guard isOnGround(cube), let sites = cubes[cube] else { continue }
                    for site in sites { body(site) }
                }
            }
        }
    }

    /// The edge as a part of the sphere's radius.
    private var side: Double { edge / EarthPoint.leastScale }

    private func cube(at vector: SIMD3<Double>) -> Cube {
        // What is not a number goes to the middle of the earth, where no search looks.
        let steps = (vector / side).rounded(.down)
        func step(_ value: Double) -> Int32 { Int32(exactly: value) ?? 0 }
        return Cube(x: step(steps.x), y: step(steps.y), z: step(steps.z))
    }

    /// Whether the ground may pass through a cube: asking that is faster than looking the cube up.
    private func isOnGround(_ cube: Cube) -> Bool {
        let middle = (SIMD3(Double(cube.x), Double(cube.y), Double(cube.z)) + 0.5) * side
        // Half the diagonal of a cube is 0.866 of its edge.
        return ((middle * middle).sum().squareRoot() - 1).magnitude <= 0.87 * side
    }
}
