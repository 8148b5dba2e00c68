import CPrefetch

/// Finds slots by the hash of their identifier: open addressing with eight bytes a bucket, where a dictionary of strings
/// takes twenty. The identifiers themselves stay with their owner, who is asked whether a slot is the one that is meant.
///
/// Looking up, inserting and removing are O(1); growing moves the buckets without hashing anything again.
struct SlotIndex: Sendable {
    /// Upper half: half of the identifier's hash, which also tells where the bucket belongs. Lower half: the slot, plus 1,
    /// so that zero is a free bucket.
    private var buckets: ContiguousArray<UInt64> = [0, 0, 0, 0]
    private(set) var count = 0

    private var mask: Int { buckets.count - 1 }

    private static func home(_ bucket: UInt64) -> Int { Int(truncatingIfNeeded: bucket >> 32) }

    /// The slot under a hash for which `isMeant` is true.
    func slot(hash: Int, where isMeant: (Int32) -> Bool) -> Int32? {
        place(hash: hash, where: isMeant).map { Self.slot(buckets[$0]) }
    }

    /// Asks for the memory in which a look at a hash begins.
    func prefetch(hash: Int) {
        buckets.withUnsafeBufferPointer { buckets in
            if let first = buckets.baseAddress { belfry_prefetch(first + (hash & mask)) }
        }
    }

    /// Adds a slot that is not there yet.
    mutating func insert(_ slot: Int32, hash: Int) {
        // A quarter stays free, so that searches are short.
        if count >= buckets.count / 4 * 3 { grow() }
        put(UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(UInt32(slot) + 1))
        count += 1
    }

    /// Makes room for so many slots at once.
    mutating func reserveCapacity(_ capacity: Int) {
        var size = buckets.count
        while capacity >= size / 4 * 3 { size *= 2 }
        if size > buckets.count { resize(to: size) }
    }

    /// Takes out the slot under a hash for which `isMeant` is true.
    mutating func remove(hash: Int, where isMeant: (Int32) -> Bool) -> Int32? {
        guard var hole = place(hash: hash, where: isMeant) else { return nil }
        let slot = Self.slot(buckets[hole])
        count -= 1
        // What was pushed behind the hole moves up, so that no search ends at it.
        var next = (hole + 1) & mask
        while buckets[next] != 0 {
            let distance = (next - Self.home(buckets[next])) & mask
            if distance >= (next - hole) & mask {
                buckets[hole] = buckets[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        buckets[hole] = 0
        return slot
    }

    private static func slot(_ bucket: UInt64) -> Int32 { Int32(UInt32(truncatingIfNeeded: bucket) - 1) }

    private func place(hash: Int, where isMeant: (Int32) -> Bool) -> Int? {
        let half = UInt64(UInt32(truncatingIfNeeded: hash))
        var place = Int(truncatingIfNeeded: half) & mask
        while buckets[place] != 0 {
            if buckets[place] >> 32 == half, isMeant(Self.slot(buckets[place])) { return place }
            place = (place + 1) & mask
        }
        return nil
    }

    private mutating func put(_ bucket: UInt64) {
        var place = Self.home(bucket) & mask
        while buckets[place] != 0 { place = (place + 1) & mask }
        buckets[place] = bucket
    }

    private mutating func grow() { resize(to: buckets.count * 2) }

    private mutating func resize(to size: Int) {
        let old = buckets
        buckets = ContiguousArray(repeating: 0, count: size)
        for bucket in old where bucket != 0 { put(bucket) }
    }
}
