/// Calls to one destination that wait to be sent, first in, first out.
struct CallLine {
    struct Entry {
        var id: UInt64
        /// In the order of adding over all destinations.
        var place: UInt64
    }

    private var entries: [Entry] = []
    private var start = 0

    var isEmpty: Bool { start == entries.count }
    var first: Entry? { isEmpty ? nil : entries[start] }
    var all: ArraySlice<Entry> { entries[start...] }

    mutating func append(_ id: UInt64, place: UInt64) { entries.append(Entry(id: id, place: place)) }

    /// Amortized O(1).
    mutating func removeFirst() -> UInt64? {
        guard let first else { return nil }
        start += 1
        if isEmpty || (start > 1024 && start * 2 > entries.count) {
            entries.removeFirst(start)
            start = 0
        }
        return first.id
    }
}
