/// Deadlines of calls, the nearest first: a binary heap. Calls that end early stay in it until their time, or until they
/// are more than the open ones.
struct DeadlineHeap {
    struct Entry {
        /// Nanoseconds of the monotonic clock.
        var time: UInt64
        var id: UInt64
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var nearest: UInt64? { entries.first?.time }

    /// O(log n).
    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].time < entries[parent].time else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// The nearest one, if it is due. O(log n).
    mutating func removeDue(at now: UInt64) -> UInt64? {
        guard let first = entries.first, first.time <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink(from: 0)
        }
        return first.id
    }

    /// Keeps only these. O(n).
    mutating func removeAll(where isStale: (UInt64) -> Bool) {
        entries.removeAll { isStale($0.id) }
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { sink(from: index) }
    }

    private mutating func sink(from start: Int) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            var least = parent
            for child in [left, left + 1] where child < entries.count && entries[child].time < entries[least].time {
                least = child
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
