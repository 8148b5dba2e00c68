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
    /// How many at the front of `order` are passed.
    private var passed = 0
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
        while entries.count > limit {
            let oldest = order[passed]
            passed += 1
            if entries[oldest.key]?.age == oldest.age { entries[oldest.key] = nil }
        }
        guard order.count >= 2 * limit else { return }
        // Half of them or more at once, so that an insertion costs the same however many there are.
        order = order[passed...].filter { entries[$0.key]?.age == $0.age }
        passed = 0
    }

    /// Nil removes. What is set must be there: it keeps its age.
    package subscript(key: Key) -> Value? {
        get { entries[key]?.value }
        set {
            if let newValue { entries[key]?.value = newValue } else { entries[key] = nil }
        }
    }
}
