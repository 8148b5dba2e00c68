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

/// A spatial index of circular regions. It finds the regions that contain a point, and the nearest border, without
/// visiting all others. Regions are identified by slot, a small number that the owner assigns.
///
/// Regions are grouped by the cubes that contain their centers. The cubes divide the space of ``EarthPoint/vector``,
/// which has no longitude: the poles and the antimeridian are no special cases. Inserting and removing are O(1). A
/// search visits a few cubes of 4 km, and of larger sizes for larger regions. So a region of 1,000 km is in one cube,
/// and does not widen the search for regions of 100 m.
struct RegionIndex: Sendable {
    private struct Cube: Hashable, Sendable {
        /// The index of its size in ``RegionIndex/edges``.
        let size: Int32
        let x: Int32
        let y: Int32
        let z: Int32

        /// Returns whether the ground may pass through it, which is faster than looking it up.
        ///
        /// - Parameter side: The length of its edge, relative to the sphere's radius.
        func isOnGround(side: Double) -> Bool {
            let middle = (SIMD3(Double(x), Double(y), Double(z)) + 0.5) * side
            // Half the diagonal of a cube is 0.866 times its edge.
            return ((middle * middle).sum().squareRoot() - 1).magnitude <= 0.87 * side
        }
    }

    /// The lengths of the edges of cubes in meters. A region is in a cube that is not smaller than its radius.
    private static let edges: [Double] = [4_000, 32_000, 256_000, 2_048_000]

    private var cubes: [Cube: [Int32: RegionSite]] = [:]
    /// The cube of each region, by slot.
    private var homes: [Int32: Cube] = [:]
    /// The largest radius that any region in cubes of each size has had; 0 if there was none.
    private var largestRadii = edges.map { _ in 0.0 }

    init() {}

    var count: Int { homes.count }

    /// Adds a region under a slot that is not in the index.
    mutating func insert(_ region: CircularRegion, slot: Int32) {
        precondition(homes[slot] == nil, "slot \(slot) has a region")
        let size = Self.edges.firstIndex { region.radius <= $0 } ?? Self.edges.count - 1
        let site = RegionSite(region, slot: slot)
        let cube = Self.cube(size, at: site.center.vector)
        cubes[cube, default: [:]][slot] = site
        homes[slot] = cube
        largestRadii[size] = max(largestRadii[size], region.radius)
    }

    /// Removes a region; no effect if there is none.
    mutating func remove(slot: Int32) {
        guard let cube = homes.removeValue(forKey: slot) else { return }
        cubes[cube]?[slot] = nil
        if cubes[cube]?.isEmpty == true { cubes[cube] = nil }
    }

    func site(of slot: Int32) -> RegionSite? { homes[slot].flatMap { cubes[$0]?[slot] } }

    func region(of slot: Int32) -> CircularRegion? { site(of: slot)?.region }

    /// Returns the regions that contain a point, in no particular order.
    func sites(around point: EarthPoint) -> [RegionSite] {
        var found: [RegionSite] = []
        forEachSite(within: 0, of: point) { site in
            guard site.center.leastDistance(to: point) <= site.region.radius,
                site.center.distance(to: point) <= site.region.radius
            else { return }
            found.append(site)
        }
        return found
    }

    /// Returns the meters from a point to the nearest border of any region, from inside or outside; at most `limit`.
    func distanceToNearestBorder(of point: EarthPoint, limit: Double) -> Double {
        var (least, searched) = (limit, 0.0)
        // Starts small: if there are many regions, one is near, and the widest search would visit all the others first.
        repeat {
            searched = min(max(8 * searched, 500), limit)
            forEachSite(within: searched, of: point) { site in
                guard site.center.leastDistance(to: point) - site.region.radius < least else { return }
                least = min(least, (site.center.distance(to: point) - site.region.radius).magnitude)
            }
        } while searched < min(least, limit)
        return least
    }

    /// Calls `body` for all regions that are within a distance of a point, in meters, and for some others.
    ///
    /// It visits the cubes around the point, or all cubes if they are fewer.
    private func forEachSite(within distance: Double, of point: EarthPoint, _ body: (RegionSite) -> Void) {
        for (size, largestRadius) in largestRadii.enumerated() where largestRadius > 0 {
            // The diameter of the unit sphere is 2.
            let reach = min((distance + largestRadius) / EarthPoint.leastScale, 2)
            let (low, high) = (Self.cube(size, at: point.vector - reach), Self.cube(size, at: point.vector + reach))
            let count = Int(high.x - low.x + 1) * Int(high.y - low.y + 1) * Int(high.z - low.z + 1)
            guard count <= cubes.count else {
                for (cube, sites) in cubes where cube.size == low.size { for site in sites.values { body(site) } }
                continue
            }
            let side = Self.side(size)
            for x in low.x...high.x {
                for y in low.y...high.y {
                    for z in low.z...high.z {
                        let cube = Cube(size: low.size, x: x, y: y, z: z)
                        guard cube.isOnGround(side: side), let sites = cubes[cube] else { continue }
                        for site in sites.values { body(site) }
                    }
                }
            }
        }
    }

    /// Returns the length of a cube's edge, relative to the sphere's radius.
    private static func side(_ size: Int) -> Double { edges[size] / EarthPoint.leastScale }

    private static func cube(_ size: Int, at vector: SIMD3<Double>) -> Cube {
        // NaN is mapped to the center of the earth, where no search looks.
        let steps = (vector / side(size)).rounded(.down)
        func step(_ value: Double) -> Int32 { Int32(exactly: value) ?? 0 }
        return Cube(size: Int32(size), x: step(steps.x), y: step(steps.y), z: step(steps.z))
    }
}
