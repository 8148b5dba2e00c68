/// What a store keeps of a ``RegionFeed`` beside its pending requests.
package struct RegionFeedRecord: Sendable, Codable, Hashable {
    /// Where the source was asked last, in degrees: a region that was not near it then is held to have been outside.
    package var latitude: Double
    package var longitude: Double
    /// The identifiers that are over, oldest first: they are not registered again. No more than ``limit``, the newest.
    package private(set) var done: [String]

    package static let limit = 4_096

    package init(latitude: Double, longitude: Double, done: [String] = []) {
        self.latitude = latitude
        self.longitude = longitude
        self.done = done.suffix(Self.limit)
    }

    mutating func remember(_ ids: [String]) { done = (done + ids).suffix(Self.limit) }
}
