/// What all changes of a tree are made of.
extension RegionIndex {
    /// A node with nothing in it, below no other yet.
    mutating func makeNode(level: UInt8) -> Int32 {
        let link = Link(parent: -1, level: level, count: 0)
        let node: Int32
        if let spare = spareNodes.popLast() {
            node = spare
            links[Int(node)] = link
        } else {
            node = Int32(blocks.count)
            blocks.grow(to: blocks.count + 1, with: BallBlock())
            links.grow(to: links.count + 1, with: link)
        }
        if level == 0 {
            let nothing = CircularRegion(latitude: 0, longitude: 0, radius: 0)
            regions.grow(to: (Int(node) + 1) * BallBlock.width, with: nothing)
        }
        return node
    }

    /// Puts a region into a leaf that has room.
    mutating func append(_ region: CircularRegion, _ ball: Ball, slot: Int32, to leaf: Int32) {
        regions[Int(leaf) * BallBlock.width + append(slot, ball, to: leaf)] = region
        settle(slot, in: leaf)
    }

    /// Puts a node under a branch that has room.
    mutating func append(_ node: Int32, to branch: Int32) {
        _ = append(node, ball(of: node), to: branch)
        links[Int(node)].parent = branch
    }

    private mutating func append(_ name: Int32, _ ball: Ball, to node: Int32) -> Int {
        let lane = Int(links[Int(node)].count)
        links[Int(node)].count += 1
        blocks[Int(node)].name(lane, name)
        blocks[Int(node)][lane] = ball
        return lane
    }

    /// Empties a lane; the last one takes its place.
    mutating func clear(_ lane: Int, of node: Int32) {
        let last = Int(links[Int(node)].count) - 1
        links[Int(node)].count -= 1
        if links[Int(node)].level == 0 {
            let first = Int(node) * BallBlock.width
            regions[first + lane] = regions[first + last]
        }
        blocks[Int(node)].name(lane, blocks[Int(node)].names[last])
        blocks[Int(node)][lane] = blocks[Int(node)][last]
        blocks[Int(node)].name(last, -1)
        blocks[Int(node)][last] = .empty
    }

    /// A ball around all that is in a node.
    func ball(of node: Int32) -> Ball { blocks[Int(node)].enclosing(Int(links[Int(node)].count)) }

    /// Makes the balls above a node fit what has become of it, as far up as that makes a difference.
    mutating func refit(above node: Int32) {
        var node = node
        while links[Int(node)].parent >= 0 {
            let parent = Int(links[Int(node)].parent)
            let lane = blocks[parent].lane(of: node)
            let fitting = ball(of: node)
            guard blocks[parent][lane] != fitting else { return }
            blocks[parent][lane] = fitting
            node = Int32(parent)
        }
    }

    /// Makes a node the tree of a size class.
    mutating func plant(_ node: Int32, sizeClass: Int) {
        links[Int(node)].parent = ~Int32(sizeClass)
        roots[sizeClass] = node
    }

    /// Gives a node back.
    mutating func drop(_ node: Int32) {
        blocks[Int(node)] = BallBlock()
        links[Int(node)].count = 0
        spareNodes.append(node)
    }
}
