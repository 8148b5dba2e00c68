import CPrefetch

/// Inserting many at once.
extension RegionIndex {
    /// Adds regions under slots that are not in the index. Where they are many beside those that are there, all trees are made
    /// anew, with full nodes: a million take 0.65 s, where one after the other they take three to four times as long.
    mutating func insert(contentsOf entries: [(region: CircularRegion, slot: Int32)]) {
        guard entries.count > BallBlock.width, entries.count >= count / 4 else {
            for entry in entries { insert(entry.region, slot: entry.slot) }
            return
        }
        if let highest = entries.lazy.map(\.slot).max() { reserveCapacity(Int(highest) + 1) }
        var pack = Pack(index: self, adding: entries.count)
        for entry in entries {
            // Noted before it has its leaf, so that a slot that comes twice is found.
            guard let ball = admit(entry.region, slot: entry.slot) else { continue }
            settle(entry.slot, in: 0)
            pack.append(entry.region, ball, slot: entry.slot)
        }
        replant(&pack)
    }

    /// Makes all trees from what is to be in them: level by level, each node of sixteen that lie together.
    private mutating func replant(_ pack: inout Pack) {
        (blocks, links, regions, spareNodes) = ([], [], [], [])
        roots = roots.map { _ in -1 }
        let sizes = pack.items.map(\.count)
        regions.reserveCapacity(sizes.reduce(0) { $0 + Self.nodes(for: $1) * BallBlock.width })
        let nodes = sizes.reduce(0) { $0 + Self.allNodes(for: $1) }
        blocks.reserveCapacity(nodes)
        links.reserveCapacity(nodes)

        // All leaves come first, so that `regions` has no gaps.
        var lowest: [Range<Int32>] = []
        for sizeClass in pack.items.indices {
            pack.items[sizeClass].withUnsafeMutableBufferPointer { RegionPacking.arrange($0) }
            let first = Int32(blocks.count)
            let items = pack.items[sizeClass]
            for start in stride(from: 0, to: items.count, by: BallBlock.width) {
                addLeaf(items, from: start, pack.entries)
            }
            lowest.append(first..<Int32(blocks.count))
        }
        for (sizeClass, leaves) in lowest.enumerated() where !leaves.isEmpty {
            plant(tree(over: leaves), sizeClass: sizeClass)
        }
    }

    private mutating func addLeaf(
        _ items: ContiguousArray<RegionPacking.Item>,
        from start: Int,
        _ entries: ContiguousArray<Entry>
    ) {
        // The entries lie anywhere: those of the next leaf are fetched meanwhile.
        let next = start + BallBlock.width
        entries.withUnsafeBufferPointer { entries in
            guard let first = entries.baseAddress else { return }
            for item in items[min(next, items.count)..<min(next + BallBlock.width, items.count)] {
                belfry_prefetch(first + Int(item.number))
            }
        }
        let leaf = Int32(blocks.count)
        var block = BallBlock()
        let count = min(BallBlock.width, items.count - start)
        for lane in 0..<count {
            let item = items[start + lane]
            let (region, slot) = entries[Int(item.number)]
            block[lane] = Ball(centre: SIMD3(item.x, item.y, item.z), radius: region.radius)
            block.name(lane, slot)
            regions.append(region)
            settle(slot, in: leaf)
        }
        regions.grow(to: (Int(leaf) + 1) * BallBlock.width, with: regions[regions.count - 1])
        blocks.append(block)
        links.append(Link(parent: -1, level: 0, count: UInt8(count)))
    }

    private mutating func tree(over leaves: Range<Int32>) -> Int32 {
        var (below, level) = (leaves, UInt8(0))
        while below.count > 1 {
            level += 1
            let first = Int32(blocks.count)
            for (number, node) in below.enumerated() {
                if number % BallBlock.width == 0 { _ = makeNode(level: level) }
                append(node, to: Int32(blocks.count - 1))
            }
            below = first..<Int32(blocks.count)
        }
        return below.lowerBound
    }

    private static func nodes(for count: Int) -> Int { (count + BallBlock.width - 1) / BallBlock.width }

    private static func allNodes(for count: Int) -> Int {
        var (nodes, all) = (nodes(for: count), 0)
        while nodes > 1 {
            all += nodes
            nodes = Self.nodes(for: nodes)
        }
        return all + nodes
    }
}

private typealias Entry = (region: CircularRegion, slot: Int32)

/// What is to be in an index, by size class.
private struct Pack {
    var items: [ContiguousArray<RegionPacking.Item>]
    var entries: ContiguousArray<Entry> = []

    /// Takes over all that is in an index.
    init(index: RegionIndex, adding: Int) {
        items = Array(repeating: [], count: Ball.sizeClasses)
        entries.reserveCapacity(index.count + adding)
        for node in index.links.indices where index.links[node].level == 0 {
            for lane in 0..<Int(index.links[node].count) {
                let region = index.regions[node * BallBlock.width + lane]
                append(region, index.blocks[node][lane], slot: index.blocks[node].names[lane])
            }
        }
    }

    mutating func append(_ region: CircularRegion, _ ball: Ball, slot: Int32) {
        let item = RegionPacking.Item(x: ball.x, y: ball.y, z: ball.z, number: UInt32(entries.count))
        items[Ball.sizeClass(ofRadius: region.radius)].append(item)
        entries.append((region, slot))
    }
}
