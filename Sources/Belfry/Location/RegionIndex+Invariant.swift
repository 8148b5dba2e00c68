extension RegionIndex {
    /// What is wrong with the trees, or nil. O(n), for tests.
    var brokenInvariant: String? {
        var (found, nodes) = (0, 0)
        for (sizeClass, root) in roots.enumerated() where root >= 0 {
            guard links[Int(root)].parent == ~Int32(sizeClass) else { return "root \(root) isn't that of its class" }
            if links[Int(root)].level > 0, links[Int(root)].count < 2 { return "root \(root) stands over one tree" }
            if let wrong = fault(below: root, sizeClass: sizeClass, &found, &nodes) { return wrong }
        }
        let placed = leaves.count { $0 >= 0 }
        if found != placed { return "\(placed) slots have a leaf, \(found) regions are in one" }
        if nodes + spareNodes.count != blocks.count {
            return "\(blocks.count - nodes - spareNodes.count) nodes are lost"
        }
        return nil
    }

    private func fault(below node: Int32, sizeClass: Int, _ found: inout Int, _ nodes: inout Int) -> String? {
        let (block, link) = (blocks[Int(node)], links[Int(node)])
        nodes += 1
        guard link.count > 0 else { return "node \(node) is empty" }
        for lane in 0..<BallBlock.width {
            let name = block.names[lane]
            guard lane < link.count else {
                if name != -1 || block[lane] != .empty { return "lane \(lane) of node \(node) is not cleared" }
                continue
            }
            if link.level == 0 {
                found += 1
                let region = regions[Int(node) * BallBlock.width + lane]
                if leaves[Int(name)] != node { return "slot \(name) has lost its leaf" }
                if Ball(region) != block[lane] { return "slot \(name) has another's ball" }
                if Ball.sizeClass(ofRadius: region.radius) != sizeClass { return "slot \(name) is in another's tree" }
            } else {
                if links[Int(name)].parent != node { return "node \(name) has lost its parent" }
                if links[Int(name)].level + 1 != link.level { return "node \(name) is at another level" }
                if ball(of: name) != block[lane] { return "the ball of node \(name) doesn't fit" }
                if let wrong = fault(below: name, sizeClass: sizeClass, &found, &nodes) { return wrong }
            }
        }
        return nil
    }
}
