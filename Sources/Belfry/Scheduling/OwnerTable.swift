/// The owner and the entry that a request belongs to.
struct EntryReference: Sendable, Hashable {
    let owner: RequestOwner
    let key: String
}

/// The entries of each owner, and the lookup from a request to its entry.
struct OwnerTable: Sendable {
    private var entries: [RequestOwner: [String: OwnedEntry]] = [:]
    /// References by the identifiers of requests.
    private(set) var references: [String: EntryReference] = [:]

    var isEmpty: Bool { entries.isEmpty }
    var owners: [RequestOwner] { entries.keys.sorted() }

    /// The entries of an owner by their keys.
    subscript(owner: RequestOwner) -> [String: OwnedEntry] { entries[owner] ?? [:] }

    /// Sets the entries of an owner and returns the old ones. O(entries of the owner).
    @discardableResult
    mutating func set(_ owner: RequestOwner, _ new: [String: OwnedEntry]) -> [String: OwnedEntry] {
        let old = self[owner]
        for id in old.values.lazy.flatMap(\.requestIDs) where references[id]?.owner == owner { references[id] = nil }
        for (key, entry) in new {
            for id in entry.requestIDs { references[id] = EntryReference(owner: owner, key: key) }
        }
        entries[owner] = new.isEmpty ? nil : new
        return old
    }
}
