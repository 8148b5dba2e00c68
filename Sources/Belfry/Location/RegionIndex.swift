/// Circular regions by where they are: finds those that a position is in, and the border that is nearest to it, without looking at
/// the others. Regions are named by slot, a small number that the owner gives out.
///
/// A forest of balls in space, one tree for each class of size: a leaf has up to sixteen regions, a branch sixteen smaller trees,
/// each with a ball around all of it (an SS-tree: White and Jain, 1996). Balls need no longitude, so the poles and the
/// antimeridian are places like others; regions of a metre are not in one tree with regions of a thousand kilometres, whose
/// balls would be everywhere. A tree finds candidates in single precision, with what that can lose added to each ball; what
/// they are is decided by the exact distance.
///
/// A position costs the trees' height and what is near it; inserting and removing are O(log n). All is in a few arrays, 50 bytes a
/// region after a bulk insertion. Copies share them until one is changed.
struct RegionIndex: Sendable {
    /// A node's place in its tree.
    struct Link: Sendable {
        /// The branch above; for a root, the size class with all bits turned.
        var parent: Int32
        /// Zero for leaves, which all are as deep in a tree.
        var level: UInt8
        var count: UInt8
    }

    private(set) var count = 0

    // Nodes are numbers in these two.
    var blocks: ContiguousArray<BallBlock> = []
    var links: ContiguousArray<Link> = []
    /// The regions of each leaf, lane by lane; no longer than leaves need it.
    var regions: ContiguousArray<CircularRegion> = []
    /// Nodes that are not in use.
    var spareNodes: [Int32] = []
    /// The tree of each size class; −1 where it has no region.
    var roots: [Int32] = Array(repeating: -1, count: Ball.sizeClasses)
    /// The leaf of each slot; −1 where it has none.
    private(set) var leaves: ContiguousArray<Int32> = []
    /// Regions that are nowhere, because a number of theirs is none: they hold no position.
    private var nowhere: [Int32: CircularRegion] = [:]

    init() {}

    /// Adds a region under a slot that is not in the index.
    mutating func insert(_ region: CircularRegion, slot: Int32) {
        if let ball = admit(region, slot: slot) { place(region, ball, slot: slot) }
    }

    /// Takes a region out; no effect where there is none. O(log n).
    mutating func remove(slot: Int32) {
        guard let leaf = leaf(of: slot) else {
            if nowhere.removeValue(forKey: slot) != nil { count -= 1 }
            return
        }
        leaves[Int(slot)] = -1
        count -= 1
        take(blocks[Int(leaf)].lane(of: slot), outOf: leaf)
    }

    func region(of slot: Int32) -> CircularRegion? {
        guard let leaf = leaf(of: slot) else { return nowhere[slot] }
        return regions[Int(leaf) * BallBlock.width + blocks[Int(leaf)].lane(of: slot)]
    }

    /// Metres from a position to the centre of a slot's region; nil where there is none.
    func distance(of slot: Int32, latitude: Double, longitude: Double) -> Double? {
        region(of: slot).map {
            Geodesic.distance(
                latitude: latitude,
                longitude: longitude,
                toLatitude: $0.latitude,
                longitude: $0.longitude
            )
        }
    }

    /// The leaf that has a slot's region.
    private func leaf(of slot: Int32) -> Int32? {
        guard leaves.indices.contains(Int(slot)), leaves[Int(slot)] >= 0 else { return nil }
        return leaves[Int(slot)]
    }

    /// Counts a region in. The ball under which it is to be placed; nil where it has no place.
    mutating func admit(_ region: CircularRegion, slot: Int32) -> Ball? {
        let isFree = leaf(of: slot) == nil && (nowhere.isEmpty || nowhere[slot] == nil)
        precondition(slot >= 0 && isFree, "slot \(slot) has a region")
        count += 1
        let ball = Ball(region)
        if ball == nil { nowhere[slot] = region }
        return ball
    }

    /// Notes the leaf that has a slot's region from now on.
    mutating func settle(_ slot: Int32, in leaf: Int32) {
        leaves.grow(to: Int(slot) + 1, with: -1)
        leaves[Int(slot)] = leaf
    }

    /// Makes room for slots below a number.
    mutating func reserveCapacity(_ slots: Int) { leaves.reserveCapacity(slots) }
}
