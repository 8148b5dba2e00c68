import Belfry

/// An owner and its entries as a setting holds them.
struct OwnerRow: Codable {
    var owner: String
    var entries: [OwnedEntry]
}
