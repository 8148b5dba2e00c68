import Belfry

/// An owner and its entries, as stored in a setting.
struct OwnerRow: Codable {
    var owner: String
    var entries: [OwnedEntry]
}

/// A region feed by its name, with its record, as stored in a setting.
struct FeedRow: Codable {
    var name: String
    var record: RegionFeedRecord

    private enum CodingKeys: String, CodingKey {
        // The name of a feed when the first stores were written.
        case name = "window"
        case record
    }
}
