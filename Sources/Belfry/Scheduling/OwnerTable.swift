/// Which entry of which owner a request belongs to.
struct EntryReference: Sendable, Hashable {
    let owner: RequestOwner
    let key: String
}

/// What is kept of the entries of each owner, and the way back from a request to its entry.
struct OwnerTable: Sendable {
    private var entries: [RequestOwner: [String: OwnedEntry]] = [:]
    /// By the identifiers of requests.
    private(set) var references: [String: EntryReference] = [:]

    var isEmpty: Bool { entries.isEmpty }
    var owners: [RequestOwner] { entries.keys.sorted() }

    /// The entries of an owner by their keys.
    subscript(owner: RequestOwner) -> [String: OwnedEntry] { entries[owner] ?? [:] }

    /// Sets the entries of an owner and returns those there were. O(entries of the owner).
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
