/// The identifiers of elements by the base of their series; no series has an empty set.
struct SeriesMembers: Sendable, Equatable {
    private(set) var byBase: [String: Set<String>] = [:]

    var isEmpty: Bool { byBase.isEmpty }
    /// The number of elements of all series. O(series).
    var count: Int { byBase.values.reduce(0) { $0 + $1.count } }
    var bases: some Collection<String> { byBase.keys }

    subscript(base: String) -> Set<String>? { byBase[base] }

    mutating func insert(_ id: String, of base: String) { byBase[base, default: []].insert(id) }

    mutating func remove(_ id: String, of base: String) {
        byBase[base]?.remove(id)
        if byBase[base]?.isEmpty == true { byBase[base] = nil }
    }
}
