import CPrefetch

/// One position's way through the trees of a ``RegionIndex``, over unchecked pointers into its arrays.
struct RegionSearch {
    private let blocks: UnsafePointer<BallBlock>
    private let regions: UnsafePointer<CircularRegion>
    private let latitude: Double
    private let longitude: Double
    private let here: SIMD3<Float>
    /// Most positions are near nothing and never need it.
    private lazy var origin = GeodesicOrigin(latitude: latitude, longitude: longitude)

    fileprivate init(
        blocks: UnsafePointer<BallBlock>,
        regions: UnsafePointer<CircularRegion>,
        latitude: Double,
        longitude: Double
    ) {
        self.blocks = blocks
        self.regions = regions
        self.latitude = latitude
        self.longitude = longitude
        here = QuickPosition.of(latitude: latitude, longitude: longitude)
    }

    fileprivate mutating func forEachContaining(below node: Int32, level: UInt8, _ body: (Int32, Double) -> Void) {
        var lanes = blocks[Int(node)].lanes(around: here)
        guard level > 0 else {
            while let lane = lanes.popFirst() {
                let region = regions[Int(node) * BallBlock.width + lane]
                let distance = origin.distance(toLatitude: region.latitude, longitude: region.longitude)
                if distance <= region.radius { body(blocks[Int(node)].names[lane], distance) }
            }
            return
        }
        if lanes.isSeveral {
            var coming = lanes
            while let lane = coming.popFirst() { prefetch(blocks[Int(node)].names[lane]) }
        }
        while let lane = lanes.popFirst() {
            forEachContaining(below: blocks[Int(node)].names[lane], level: level - 1, body)
        }
    }

    /// Makes `least` the distance to a border below a node, if one is nearer.
    fileprivate mutating func nearestBorder(below node: Int32, level: UInt8, _ least: inout Double) {
        guard level > 0 else { return nearestBorder(inLeaf: node, &least) }
        var gaps = blocks[Int(node)].gaps(from: here)
        while true {
            let lane = gaps.laneOfLeast
            guard Double(gaps[lane]) < least else { return }
            gaps[lane] = .infinity
            nearestBorder(below: blocks[Int(node)].names[lane], level: level - 1, &least)
        }
    }

    private mutating func nearestBorder(inLeaf leaf: Int32, _ least: inout Double) {
        var gaps = blocks[Int(leaf)].borderGaps(from: here)
        while true {
            let lane = gaps.laneOfLeast
            guard Double(gaps[lane]) < least else { return }
            gaps[lane] = .infinity
            let region = regions[Int(leaf) * BallBlock.width + lane]
            let distance = origin.distance(toLatitude: region.latitude, longitude: region.longitude)
            least = min(least, (distance - region.radius).magnitude)
        }
    }

    @inline(__always)
    private func prefetch(_ node: Int32) {
        let block = UnsafeRawPointer(blocks + Int(node))
        for offset in stride(from: 0, to: MemoryLayout<BallBlock>.size, by: 64) { belfry_prefetch(block + offset) }
    }
}

extension RegionIndex {
    /// Calls `body` with every slot whose region contains the position, and the metres to its centre, each once, in no order. A
    /// distance is within ``Geodesic/errorBound``, and so is the border. A position that is none is in no region.
    func forEachContaining(
        latitude: Double,
        longitude: Double,
        _ body: (_ slot: Int32, _ distance: Double) -> Void
    ) {
        search(latitude: latitude, longitude: longitude) { search, root, level in
            search.forEachContaining(below: root, level: level, body)
        }
    }

    /// Metres from a position to the nearest border of any region, inside or outside, at most `limit`: too small by
    /// 2 × ``Geodesic/errorBound`` at most, never too large. A position that is none has `limit`.
    func distanceToNearestBorder(latitude: Double, longitude: Double, limit: Double) -> Double {
        var least = limit
        search(latitude: latitude, longitude: longitude) { search, root, level in
            search.nearestBorder(below: root, level: level, &least)
        }
        return least < limit ? max(0, least - Geodesic.errorBound) : limit
    }

    private func search(latitude: Double, longitude: Double, _ body: (inout RegionSearch, Int32, UInt8) -> Void) {
        guard latitude.isFinite, longitude.isFinite else { return }
        blocks.withUnsafeBufferPointer { blocks in
            regions.withUnsafeBufferPointer { regions in
                guard let firstBlock = blocks.baseAddress, let firstRegion = regions.baseAddress else { return }
                var search = RegionSearch(
                    blocks: firstBlock,
                    regions: firstRegion,
                    latitude: latitude,
                    longitude: longitude
                )
                for root in roots where root >= 0 { body(&search, root, links[Int(root)].level) }
            }
        }
    }
}
