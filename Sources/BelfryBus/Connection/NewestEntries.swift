/// The newest so many values by their keys: beyond the limit the oldest goes. For what nobody may ever tell the end of.
package struct NewestEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        /// When it was inserted, counted in insertions.
        var age: UInt64
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    /// In the order of insertion; those that were removed or inserted again stand here until they are passed.
    private var order: [(key: Key, age: UInt64)] = []
    private var insertions: UInt64 = 0

    package init(limit: Int = 4096) { self.limit = limit }

    package var count: Int { entries.count }

    /// The values by their keys, in no order.
    package var all: [Key: Value] { entries.mapValues(\.value) }

    /// The newest now, also where the key was there before. Amortized O(1).
    package mutating func insert(_ value: Value, for key: Key) {
        insertions += 1
        entries[key] = Entry(value: value, age: insertions)
        order.append((key, insertions))
        // Half of it at once, so that removing from the front costs no more than inserting.
        if order.count >= 2 * limit { order.removeAll { entries[$0.key]?.age != $0.age } }
        guard entries.count > limit, let oldest = order.firstIndex(where: { entries[$0.key]?.age == $0.age }) else {
            return
        }
        entries[order[oldest].key] = nil
        order.removeFirst(oldest + 1)
    }

    /// Nil removes. What is set must be there: it keeps its age.
    package subscript(key: Key) -> Value? {
        get { entries[key]?.value }
        set {
            if let newValue { entries[key]?.value = newValue } else { entries[key] = nil }
        }
    }
}
