import Belfry

/// An owner and its entries as a setting holds them.
struct OwnerRow: Codable {
    var owner: String
    var entries: [OwnedEntry]
}

/// A region feed by its name, and what is kept of it, as a setting holds them.
struct FeedRow: Codable {
    var name: String
    var record: RegionFeedRecord

    private enum CodingKeys: String, CodingKey {
        // What a feed was called when the first stores were written.
        case name = "window"
        case record
    }
}
