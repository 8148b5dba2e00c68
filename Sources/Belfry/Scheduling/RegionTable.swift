/// The regions of pending requests, beside the entries and under their slots, and on which side of each border the
/// position is.
///
/// What is outside takes no room but in the index: there may be a million of them, and a fix looks at none.
struct RegionTable: Sendable {
    private(set) var index = RegionIndex()
    /// Of those inside, of those whose dwell time runs, and of those outside that the marks don't say it of.
    private(set) var states: [Int32: RegionProgress] = [:]
    private(set) var marks = RegionMarks()
    /// The revision of the newest request that ever had a region: what a fix is evaluated for.
    private(set) var newest: Int64 = 0
    /// No region's radius was ever larger: a fix that is worse tells nothing.
    private(set) var largest = 0.0
    /// Rises with each change that may ask for other positions.
    private(set) var changeCount = 0

    /// A region of an entry.
    struct Entry {
        let region: CircularRegion
        let slot: Int32
        let revision: Int64
    }

    /// A border that a fix lies beyond.
    struct Found {
        let slot: Int32
        /// Nil: no fix was evaluated for the region before, and this one is inside.
        let crossing: CircularRegion.Crossing?
    }

    /// The least that a fix must be outside by before it counts as having left; meters.
    private static let cushion = 20.0

    var isEmpty: Bool { index.count == 0 }
    /// Whether all regions were evaluated by some fix.
    var areKnown: Bool { isEmpty || marks.covers(newest, radius: 0) }

    // MARK: Changing

    mutating func insert(_ region: CircularRegion, slot: Int32, revision: Int64) {
        index.insert(region, slot: slot)
        newest = max(newest, revision)
        largest = max(largest, region.radius)
        changeCount += 1
    }

    /// Returns the region that was there, and what was known of it.
    @discardableResult
    mutating func remove(slot: Int32) -> (region: CircularRegion, state: RegionProgress?)? {
        guard let region = index.region(of: slot) else { return nil }
        index.remove(slot: slot)
        changeCount += 1
        return (region, states.removeValue(forKey: slot))
    }

    /// Undoes an insertion.
    mutating func takeBack(_ slot: Int32, newest before: Int64) {
        remove(slot: slot)
        newest = before
    }

    mutating func set(_ state: RegionProgress?, of slot: Int32) { states[slot] = state }

    mutating func set(_ new: RegionMarks) {
        marks = new
        changeCount += 1
    }

    // MARK: Evaluating fixes

    /// What a fix changes, in no order. O(regions near it + regions that are known to be inside).
    ///
    /// - Parameter accuracy: meters, 0 or more.
    func found(at point: EarthPoint, accuracy: Double, revision: (Int32) -> Int64) -> [Found] {
        var all: [Found] = []
        for (slot, state) in states where state.isInside {
            guard let site = index.site(of: slot), Self.counts(accuracy, for: site.region),
                crossing(of: site, at: point, accuracy: accuracy) == .left
            else { continue }
            all.append(Found(slot: slot, crossing: .left))
        }
        for site in index.sites(around: point) where states[site.slot]?.isInside != true {
            guard Self.counts(accuracy, for: site.region) else { continue }
            let wasKnown = isKnown(site.slot, site.region, revision: revision(site.slot))
            all.append(Found(slot: site.slot, crossing: wasKnown ? .entered : nil))
        }
        return all
    }

    /// Over which way of one region's border a fix lies.
    func crossing(of site: RegionSite, at point: EarthPoint, accuracy: Double) -> CircularRegion.Crossing? {
        let outside = site.center.distance(to: point) - site.region.radius
        guard states[site.slot]?.isInside == true else { return outside <= 0 ? .entered : nil }
        return outside > max(accuracy, Self.cushion) ? .left : nil
    }

    /// Whether a fix has told on which side of a region's border the device is.
    func isKnown(_ slot: Int32, _ region: CircularRegion, revision: @autoclosure () -> Int64) -> Bool {
        states[slot] != nil || marks.covers(revision(), radius: region.radius)
    }

    /// Whether a fix is known well enough to tell on which side of a region's border it is.
    static func counts(_ accuracy: Double, for region: CircularRegion) -> Bool {
        accuracy <= max(region.radius, RegionMarks.finest)
    }
}
