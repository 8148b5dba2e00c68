/// The regions of pending requests by the slots of their entries, and on which side of each border the device is.
///
/// A region that the device is outside of is only in the index: there may be a million of them, and a fix reads none.
struct RegionTable: Sendable {
    private(set) var index = RegionIndex()
    /// The states of regions the device is inside, with a running dwell time, or outside but not covered by the marks.
    private(set) var states: [Int32: RegionProgress] = [:]
    private(set) var marks = RegionMarks()
    /// The revision of the newest request that ever had a region: a fix evaluates all up to it.
    private(set) var newest: Int64 = 0
    /// The largest radius of any region so far: a less accurate fix is of no use.
    private(set) var largest = 0.0

    /// A border that a fix is across.
    struct Found {
        let slot: Int32
        /// Nil if no fix was evaluated for the region before, and this one is inside.
        let crossing: CircularRegion.Crossing?
    }

    /// The minimum distance outside the border, in meters, before a fix counts as having left.
    private static let cushion = 20.0

    var isEmpty: Bool { index.count == 0 }
    /// Whether all regions have been evaluated by a fix.
    var areKnown: Bool { isEmpty || marks.covers(newest, radius: 0) }

    // MARK: Changing

    mutating func insert(_ region: CircularRegion, slot: Int32, revision: Int64) {
        index.insert(region, slot: slot)
        newest = max(newest, revision)
        largest = max(largest, region.radius)
    }

    /// Removes a region. Returns it with its state.
    @discardableResult
    mutating func remove(slot: Int32) -> (region: CircularRegion, state: RegionProgress?)? {
        guard let region = index.region(of: slot) else { return nil }
        index.remove(slot: slot)
        return (region, states.removeValue(forKey: slot))
    }

    /// Undoes an insertion.
    mutating func takeBack(_ slot: Int32, newest before: Int64) {
        remove(slot: slot)
        newest = before
    }

    mutating func set(_ state: RegionProgress?, of slot: Int32) { states[slot] = state }

    mutating func set(_ new: RegionMarks) { marks = new }

    // MARK: Evaluating fixes

    /// Returns the changes that a fix causes, unordered: all, or `limit` of them. O(regions near it + regions known to
    /// be inside).
    ///
    /// - Parameter accuracy: meters, 0 or more.
    func found(
        at point: EarthPoint,
        accuracy: Double,
        upTo limit: Int = .max,
        revision: (Int32) -> Int64
    ) -> [Found] {
        var all: [Found] = []
        for (slot, state) in states where state.isInside {
            guard all.count < limit else { return all }
            guard let site = index.site(of: slot), Self.counts(accuracy, for: site.region),
                crossing(of: site, at: point, accuracy: accuracy) == .left
            else { continue }
            all.append(Found(slot: slot, crossing: .left))
        }
        let entered = index.sites(around: point, upTo: limit - all.count) {
            states[$0.slot]?.isInside != true && Self.counts(accuracy, for: $0.region)
        }
        for site in entered {
            let wasKnown = isKnown(site.slot, site.region, revision: revision(site.slot))
            all.append(Found(slot: site.slot, crossing: wasKnown ? .entered : nil))
        }
        return all
    }

    /// Returns the crossing of one region's border that a fix causes, or nil.
    func crossing(of site: RegionSite, at point: EarthPoint, accuracy: Double) -> CircularRegion.Crossing? {
        let outside = site.center.distance(to: point) - site.region.radius
        guard states[site.slot]?.isInside == true else { return outside <= 0 ? .entered : nil }
        return outside > max(accuracy, Self.cushion) ? .left : nil
    }

    /// Returns whether a fix has determined on which side of a region's border the device is.
    func isKnown(_ slot: Int32, _ region: CircularRegion, revision: @autoclosure () -> Int64) -> Bool {
        states[slot] != nil || marks.covers(revision(), radius: region.radius)
    }

    /// Returns whether a fix is accurate enough to determine on which side of a region's border it is.
    static func counts(_ accuracy: Double, for region: CircularRegion) -> Bool {
        accuracy <= max(region.radius, RegionMarks.finest)
    }
}
