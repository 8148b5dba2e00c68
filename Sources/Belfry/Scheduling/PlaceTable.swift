/// The regions of pending requests, beside the entries and under their slots, and on which side of each border the position
/// is.
///
/// What is outside takes no room but in the index: there may be a million of them, and a fix looks at none.
struct PlaceTable: Sendable {
    private(set) var index = RegionIndex()
    /// Of those inside, of those whose dwell time runs, and of those outside that the marks don't say it of.
    var states: [Int32: PlaceProgress] = [:]
    var marks = PlaceMarks()
    /// The revision of the newest request that ever had a region: what a fix judges up to.
    var newest: Int64 = 0
    /// No region's radius was ever larger: a fix that is worse tells nothing.
    private(set) var largest = 0.0

    /// A region of an entry.
    struct Entry {
        let region: CircularRegion
        let slot: Int32
        let revision: Int64
    }

    /// A border that a fix lies beyond.
    struct Found {
        let slot: Int32
        /// Nil: the region was never judged, and the fix is inside.
        let crossing: RegionCrossing?
    }

    /// The least that a fix must be outside by before it counts as having left; metres.
    static let cushion = 20.0

    var isEmpty: Bool { index.count == 0 }

    mutating func insert(_ region: CircularRegion, slot: Int32, revision: Int64) {
        index.insert(region, slot: slot)
        newest = max(newest, revision)
        largest = max(largest, region.radius)
    }

    /// Many at once, of slots that have none.
    mutating func insert(contentsOf entries: [Entry]) {
        index.insert(contentsOf: entries.lazy.map { (region: $0.region, slot: $0.slot) })
        for entry in entries {
            newest = max(newest, entry.revision)
            largest = max(largest, entry.region.radius)
        }
    }

    /// Returns the region that was there, and what was known of it.
    @discardableResult
    mutating func remove(slot: Int32) -> (region: CircularRegion, state: PlaceProgress?)? {
        guard let region = index.region(of: slot) else { return nil }
        index.remove(slot: slot)
        return (region, states.removeValue(forKey: slot))
    }

    /// What a fix changes, in no order. O(log n + regions that contain it + regions that are known to be inside).
    ///
    /// - Parameter accuracy: metres, 0 or more.
    func found(latitude: Double, longitude: Double, accuracy: Double, revision: (Int32) -> Int64) -> [Found] {
        var all: [Found] = []
        for (slot, state) in states where state.isInside {
            guard let region = index.region(of: slot), Self.counts(accuracy, for: region),
                let distance = index.distance(of: slot, latitude: latitude, longitude: longitude)
            else { continue }
            if distance > region.radius + max(accuracy, Self.cushion) {
                all.append(Found(slot: slot, crossing: .left))
            }
        }
        index.forEachContaining(latitude: latitude, longitude: longitude) { slot, _ in
            guard states[slot]?.isInside != true, let region = index.region(of: slot),
                Self.counts(accuracy, for: region)
            else { return }
            let wasJudged = states[slot] != nil || marks.covers(revision(slot), radius: region.radius)
            all.append(Found(slot: slot, crossing: wasJudged ? .entered : nil))
        }
        return all
    }

    /// Over which way of one region's border a fix lies.
    func crossing(
        of slot: Int32,
        _ region: CircularRegion,
        latitude: Double,
        longitude: Double,
        accuracy: Double
    ) -> RegionCrossing? {
        guard let distance = index.distance(of: slot, latitude: latitude, longitude: longitude) else { return nil }
        guard states[slot]?.isInside == true else { return distance <= region.radius ? .entered : nil }
        return distance > region.radius + max(accuracy, Self.cushion) ? .left : nil
    }

    /// Whether a fix is known well enough to tell on which side of a region's border it is.
    static func counts(_ accuracy: Double, for region: CircularRegion) -> Bool {
        accuracy <= max(region.radius, PlaceMarks.finest)
    }
}
