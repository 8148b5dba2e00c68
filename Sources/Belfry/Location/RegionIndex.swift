/// Circular regions by where they are: finds those that a point is in, and the border that is nearest to it, without
/// looking at the others. Regions are named by slot, a small number that the owner gives out.
///
/// Inserting and removing are O(1). A search looks at the regions of a few cubes of 4 km, and of larger ones for
/// regions with a larger radius, so that a region of 1,000 km is in one cube, and doesn't make the search for those of
/// 100 m any wider.
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

    /// Removes a region; no effect where there is none.
    mutating func remove(slot: Int32) {
        guard let home = homes.removeValue(forKey: slot) else { return }
        if let moved = grids[home.grid].remove(at: home.spot) { homes[moved]?.spot = home.spot }
    }

    func site(of slot: Int32) -> RegionSite? { homes[slot].flatMap { grids[$0.grid][$0.spot] } }

    func region(of slot: Int32) -> CircularRegion? { site(of: slot)?.region }

    /// The regions that contain a point, in no order.
    func sites(around point: EarthPoint) -> [RegionSite] {
        var found: [RegionSite] = []
        for grid in grids {
            grid.forEachSite(within: grid.largestRadius, of: point) { site in
                guard site.center.leastDistance(to: point) <= site.region.radius,
                    site.center.distance(to: point) <= site.region.radius
                else { return }
                found.append(site)
            }
        }
        return found
    }

    /// Meters from a point to the nearest border of any region, from inside or outside; at most `limit`.
    func distanceToNearestBorder(of point: EarthPoint, limit: Double) -> Double {
        var (least, searched) = (limit, 0.0)
        // Where regions are many, one is near, and the widest search would look at all the others first.
        repeat {
            searched = min(max(8 * searched, 500), limit)
            for grid in grids {
                grid.forEachSite(within: searched + grid.largestRadius, of: point) { site in
                    guard site.center.leastDistance(to: point) - site.region.radius < least else { return }
                    least = min(least, (site.center.distance(to: point) - site.region.radius).magnitude)
                }
            }
        } while searched < min(least, limit)
        return least
    }
}
