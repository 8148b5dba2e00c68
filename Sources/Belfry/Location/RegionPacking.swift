/// Puts many points in space into an order in which each sixteen, each 256, each 4,096 and so on lie together.
///
/// The whole is cut across its longest extent at a multiple of the largest such number, and so are the parts, down to sixteen.
/// O(n log n); no arrangement of the points is slow, since the elements by which they are parted are drawn by lot.
struct RegionPacking {
    struct Item: Sendable {
        var x: Float
        var y: Float
        var z: Float
        /// Tells which point it is.
        var number: UInt32
    }

    private let items: UnsafeMutablePointer<Item>
    private var lot: UInt32 = 2_463_534_242

    static func arrange(_ items: UnsafeMutableBufferPointer<Item>) {
        guard let first = items.baseAddress else { return }
        var packing = RegionPacking(items: first)
        packing.arrange(0, items.count)
    }

    private init(items: UnsafeMutablePointer<Item>) { self.items = items }

    private mutating func arrange(_ start: Int, _ end: Int) {
        var unit = BallBlock.width
        guard end - start > unit else { return }
        while unit * BallBlock.width < end - start { unit *= BallBlock.width }
        let pieces = (end - start + unit - 1) / unit
        let middle = start + pieces / 2 * unit
        part(start, end, at: middle, axis: longestAxis(start, end))
        arrange(start, middle)
        arrange(middle, end)
    }

    private func longestAxis(_ start: Int, _ end: Int) -> Int {
        var (low, high) = (items[start], items[start])
        for index in start..<end {
            let item = items[index]
            low = Item(x: min(low.x, item.x), y: min(low.y, item.y), z: min(low.z, item.z), number: 0)
            high = Item(x: max(high.x, item.x), y: max(high.y, item.y), z: max(high.z, item.z), number: 0)
        }
        let (x, y, z) = (high.x - low.x, high.y - low.y, high.z - low.z)
        return x >= max(y, z) ? 0 : y >= z ? 1 : 2
    }

    /// Selection: what is smaller along an axis than the element that belongs at `middle` comes before it. Each element is moved
    /// whether it needs it or not, since the processor can't foresee whether it does.
    private mutating func part(_ start: Int, _ end: Int, at middle: Int, axis: Int) {
        let keys = UnsafeMutableRawPointer(items).assumingMemoryBound(to: Float.self) + axis
        var (first, end) = (start, end)
        while end - first > 1 {
            let pivot = pivot(keys, first, end - 1)
            var border = first
            for index in first..<end {
                let isSmaller = keys[4 * index] < pivot
                (items[border], items[index]) = (items[index], items[border])
                border &+= isSmaller ? 1 : 0
            }
            if middle < border {
                end = border
            } else if border > first {
                first = border
            } else {
                // Nothing is smaller: those that are equal come first.
                for index in first..<end {
                    let isEqual = keys[4 * index] == pivot
                    (items[border], items[index]) = (items[index], items[border])
                    border &+= isEqual ? 1 : 0
                }
                if middle < border { return }
                first = border
            }
        }
    }

    /// The median of three.
    private mutating func pivot(_ keys: UnsafeMutablePointer<Float>, _ first: Int, _ last: Int) -> Float {
        let (one, two, three) = (drawn(keys, first, last), drawn(keys, first, last), drawn(keys, first, last))
        return max(min(one, two), min(max(one, two), three))
    }

    private mutating func drawn(_ keys: UnsafeMutablePointer<Float>, _ first: Int, _ last: Int) -> Float {
        lot ^= lot << 13
        lot ^= lot >> 17
        lot ^= lot << 5
        return keys[4 * (first + Int(lot) % (last - first + 1))]
    }
}
