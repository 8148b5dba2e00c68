/// Inserting and removing, one region at a time.
extension RegionIndex {
    /// A leaf with fewer is given up, and what it has goes to others.
    private static let fewest = 4

    /// Puts a region into the leaf whose way down is always nearest to it.
    mutating func place(_ region: CircularRegion, _ ball: Ball, slot: Int32) {
        let sizeClass = Ball.sizeClass(ofRadius: region.radius)
        var node = roots[sizeClass]
        if node < 0 {
            node = makeNode(level: 0)
            plant(node, sizeClass: sizeClass)
        }
        while links[Int(node)].level > 0 {
            let block = blocks[Int(node)]
            node = block.names[block.nearest(to: ball.centre)]
        }
        if links[Int(node)].count == BallBlock.width {
            let twin = split(node)
            if isNearer(ball, to: twin, than: node) { node = twin }
        }
        append(region, ball, slot: slot, to: node)
        refit(above: node)
    }

    private func isNearer(_ new: Ball, to twin: Int32, than node: Int32) -> Bool {
        var choice = BallBlock()
        choice[0] = ball(of: node)
        choice[1] = ball(of: twin)
        return choice.nearest(to: new.centre) == 1
    }

    /// Moves half of a full node into a new one beside it.
    private mutating func split(_ node: Int32) -> Int32 {
        let parent = links[Int(node)].parent
        if parent < 0 {
            let root = makeNode(level: links[Int(node)].level + 1)
            plant(root, sizeClass: Int(~parent))
            append(node, to: root)
        } else if links[Int(parent)].count == BallBlock.width {
            // The node may be under the new half afterwards.
            _ = split(parent)
        }
        let twin = makeNode(level: links[Int(node)].level)
        let moving = blocks[Int(node)].upperHalf()
        for lane in (0..<BallBlock.width).reversed() where moving.contains(lane) {
            let block = blocks[Int(node)]
            if links[Int(node)].level == 0 {
                let region = regions[Int(node) * BallBlock.width + lane]
                append(region, block[lane], slot: block.names[lane], to: twin)
            } else {
                append(block.names[lane], to: twin)
            }
            clear(lane, of: node)
        }
        append(twin, to: links[Int(node)].parent)
        refit(above: node)
        refit(above: links[Int(node)].parent)
        return twin
    }

    /// Takes a region out of its leaf.
    mutating func take(_ lane: Int, outOf leaf: Int32) {
        clear(lane, of: leaf)
        let left = Int(links[Int(leaf)].count)
        if left == 0 {
            cut(leaf)
        } else if left < Self.fewest, links[Int(leaf)].parent >= 0 {
            let block = blocks[Int(leaf)]
            let moving = (0..<left).map { regions[Int(leaf) * BallBlock.width + $0] }
            cut(leaf)
            for (lane, region) in moving.enumerated() { place(region, block[lane], slot: block.names[lane]) }
        } else {
            refit(above: leaf)
        }
    }

    /// Takes a node out of its tree, and the branches that have nothing else.
    private mutating func cut(_ node: Int32) {
        let parent = links[Int(node)].parent
        drop(node)
        guard parent >= 0 else {
            roots[Int(~parent)] = -1
            return
        }
        clear(blocks[Int(parent)].lane(of: node), of: parent)
        if links[Int(parent)].count == 0 {
            cut(parent)
        } else {
            refit(above: parent)
            lowerRoot(parent)
        }
    }

    /// A root with a single tree under it makes way for that.
    private mutating func lowerRoot(_ node: Int32) {
        var root = node
        while links[Int(root)].parent < 0, links[Int(root)].level > 0, links[Int(root)].count == 1 {
            let below = blocks[Int(root)].names[0]
            plant(below, sizeClass: Int(~links[Int(root)].parent))
            drop(root)
            root = below
        }
    }
}
