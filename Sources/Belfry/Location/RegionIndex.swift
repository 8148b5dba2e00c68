/// A spatial index of circular regions. It finds the regions that contain a point, and the nearest border, without
/// visiting all others. Regions are identified by slot, a small number that the owner assigns.
///
/// Inserting and removing are O(1). A search visits a few cubes of 4 km, and of larger sizes for larger regions. So a
/// region of 1,000 km is in one cube, and does not widen the search for regions of 100 m.
struct RegionIndex: Sendable {
    private var grids = [4_000, 32_000, 256_000, 2_048_000].map(RegionGrid.init(edge:))
    private var homes: [Int32: Home] = [:]

    private struct Home: Sendable {
        let grid: Int
        var spot: RegionGrid.Spot
    }

    init() {}

    var count: Int { homes.count }

    /// Adds a region under a slot that is not in the index.
    mutating func insert(_ region: CircularRegion, slot: Int32) {
        precondition(homes[slot] == nil, "slot \(slot) has a region")
        let grid = grids.firstIndex { region.radius <= $0.edge } ?? grids.count - 1
        homes[slot] = Home(grid: grid, spot: grids[grid].insert(RegionSite(region, slot: slot)))
    }

    /// Removes a region; no effect if there is none.
    mutating func remove(slot: Int32) {
        guard let home = homes.removeValue(forKey: slot) else { return }
        if let moved = grids[home.grid].remove(at: home.spot) { homes[moved]?.spot = home.spot }
    }

    func site(of slot: Int32) -> RegionSite? { homes[slot].flatMap { grids[$0.grid][$0.spot] } }

    func region(of slot: Int32) -> CircularRegion? { site(of: slot)?.region }

    /// Returns regions that contain a point, in no particular order: all that are included, or `limit` of them.
    func sites(
        around point: EarthPoint,
        upTo limit: Int = .max,
        where isIncluded: (RegionSite) -> Bool = { _ in true }
    ) -> [RegionSite] {
        var found: [RegionSite] = []
        for grid in grids where found.count < limit {
            grid.forEachSite(within: grid.largestRadius, of: point) { site in
                guard site.center.leastDistance(to: point) <= site.region.radius,
                    site.center.distance(to: point) <= site.region.radius, isIncluded(site)
                else { return true }
                found.append(site)
                return found.count < limit
            }
        }
        return found
    }

    /// Returns the meters from a point to the nearest border of any region, from inside or outside; at most `limit`.
    func distanceToNearestBorder(of point: EarthPoint, limit: Double) -> Double {
        var (least, searched) = (limit, 0.0)
        // Starts small: if there are many regions, one is near, and the widest search would visit all the others first.
        repeat {
            searched = min(max(8 * searched, 500), limit)
            for grid in grids {
                grid.forEachSite(within: searched + grid.largestRadius, of: point) { site in
                    guard site.center.leastDistance(to: point) - site.region.radius < least else { return true }
                    least = min(least, (site.center.distance(to: point) - site.region.radius).magnitude)
                    return true
                }
            }
        } while searched < min(least, limit)
        return least
    }
}
