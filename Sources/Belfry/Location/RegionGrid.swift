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

/// Regions, grouped by the cubes that contain their centers.
///
/// The cubes divide the space of ``EarthPoint/vector``, which has no longitude: the poles and the antimeridian are no
/// special cases.
struct RegionGrid: Sendable {
    struct Cube: Hashable, Sendable {
        var x: Int32
        var y: Int32
        var z: Int32
    }

    /// The position of a region in the grid.
    struct Spot: Sendable {
        var cube: Cube
        var position: Int
    }

    /// The length of a cube's edge in meters.
    let edge: Double
    /// The largest radius that any region has had.
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

    /// Removes the region at the spot. Returns the slot of the region that was moved there; nil if there is none.
    mutating func remove(at spot: Spot) -> Int32? {
        guard var sites = cubes.removeValue(forKey: spot.cube) else { return nil }
        sites.swapAt(spot.position, sites.count - 1)
        sites.removeLast()
        guard !sites.isEmpty else { return nil }
        defer { cubes[spot.cube] = sites }
        return spot.position < sites.count ? sites[spot.position].slot : nil
    }

    /// Calls `body` for all regions whose centers are within a distance of a point, in meters, and for some others,
    /// until it returns false.
    ///
    /// It visits the cubes around the point, or all cubes if they are fewer.
    func forEachSite(within distance: Double, of point: EarthPoint, _ body: (RegionSite) -> Bool) {
        // The diameter of the unit sphere is 2.
        let reach = min(distance / EarthPoint.leastScale, 2)
        let (low, high) = (cube(at: point.vector - reach), cube(at: point.vector + reach))
        let count = Int(high.x - low.x + 1) * Int(high.y - low.y + 1) * Int(high.z - low.z + 1)
        guard count <= cubes.count else {
            for sites in cubes.values { for site in sites { guard body(site) else { return } } }
            return
        }
        for x in low.x...high.x {
            for y in low.y...high.y {
                for z in low.z...high.z {
                    let cube = Cube(x: x, y: y, z: z)
                    guard isOnGround(cube), let sites = cubes[cube] else { continue }
                    for site in sites { guard body(site) else { return } }
                }
            }
        }
    }

    /// The edge, relative to the sphere's radius.
    private var side: Double { edge / EarthPoint.leastScale }

    private func cube(at vector: SIMD3<Double>) -> Cube {
        // NaN is mapped to the center of the earth, where no search looks.
        let steps = (vector / side).rounded(.down)
        func step(_ value: Double) -> Int32 { Int32(exactly: value) ?? 0 }
        return Cube(x: step(steps.x), y: step(steps.y), z: step(steps.z))
    }

    /// Returns whether the ground may pass through a cube, which is faster than looking up the cube.
    private func isOnGround(_ cube: Cube) -> Bool {
        let middle = (SIMD3(Double(cube.x), Double(cube.y), Double(cube.z)) + 0.5) * side
        // Half the diagonal of a cube is 0.866 times its edge.
        return ((middle * middle).sum().squareRoot() - 1).magnitude <= 0.87 * side
    }
}
