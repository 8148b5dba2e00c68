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

    /// Hoare's selection: what is smaller along an axis than the element that belongs at `middle` comes before it.
    private mutating func part(_ start: Int, _ end: Int, at middle: Int, axis: Int) {
        let keys = UnsafeMutableRawPointer(items).assumingMemoryBound(to: Float.self) + axis
        var (first, last) = (start, end - 1)
        while first < last {
            let pivot = pivot(keys, first, last)
            var (up, down) = (first, last)
            repeat {
                while keys[4 * up] < pivot { up += 1 }
                while keys[4 * down] > pivot { down -= 1 }
                if up <= down {
                    (items[up], items[down]) = (items[down], items[up])
                    up += 1
                    down -= 1
                }
            } while up <= down
            if middle <= down {
                last = down
            } else if middle >= up {
                first = up
            } else {
                return
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
