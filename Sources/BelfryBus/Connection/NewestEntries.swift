/// The newest values by their keys, at least so many as the limit. For what nobody may ever tell the end of.
package struct NewestEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        /// When it was inserted, counted in insertions.
        var age: UInt64
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var insertions: UInt64 = 0

    package init(limit: Int = 4096) { self.limit = limit }

    package var count: Int { entries.count }

    /// The values by their keys, in no order.
    package var all: [Key: Value] { entries.mapValues(\.value) }

    /// The newest now, also where the key was there before. Amortized O(log n): twice as many as the limit are there
    /// before the older half goes.
    package mutating func insert(_ value: Value, for key: Key) {
        insertions += 1
        entries[key] = Entry(value: value, age: insertions)
        guard entries.count > 2 * limit else { return }
        let oldest = entries.values.map(\.age).sorted()[entries.count - limit]
        entries = entries.filter { $0.value.age >= oldest }
    }

    /// Nil removes. What is set must be there: it keeps its age.
    package subscript(key: Key) -> Value? {
        get { entries[key]?.value }
        set {
            if let newValue { entries[key]?.value = newValue } else { entries[key] = nil }
        }
    }
}
