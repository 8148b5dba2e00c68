/// The newest values by key, at least as many as the limit. For values whose end may never be reported.
///
/// Public in a module that is no product, because Swift 6.3 inlines nothing of level `package` into other modules,
/// which use it for each notice: unspecialized, it took 2.5 % of the centers' thread in a burst.
public struct NewestEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline let limit: Int
    /// With the number of their insertion.
    @usableFromInline var entries: [Key: (value: Value, age: UInt64)] = [:]
    @usableFromInline var insertions: UInt64 = 0

    @inlinable public init(limit: Int = 4096) { self.limit = limit }

    public var count: Int { entries.count }

    /// The values by key, in no order.
    public var all: [Key: Value] { entries.mapValues(\.value) }

    /// Inserts or replaces a value as the newest. Amortized O(log n): at twice the limit, the older half is removed.
    @inlinable public mutating func insert(_ value: Value, for key: Key) {
        insertions += 1
        entries[key] = (value, insertions)
        guard entries.count > 2 * limit else { return }
        let oldest = entries.values.map(\.age).sorted()[entries.count - limit]
        entries = entries.filter { $0.value.age >= oldest }
    }

    /// Reads, replaces or removes (nil) a value. A replaced one keeps its age; setting a missing key does nothing.
    @inlinable public subscript(key: Key) -> Value? {
        get { entries[key]?.value }
        set {
            if let newValue { entries[key]?.value = newValue } else { entries[key] = nil }
        }
    }
}
