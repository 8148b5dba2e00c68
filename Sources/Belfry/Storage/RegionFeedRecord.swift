/// The stored data of a ``RegionFeed``, in addition to its pending requests.
package struct RegionFeedRecord: Sendable, Codable, Hashable {
    /// The location of the last query, in degrees. Regions that were not near it count as outside at that time.
    package var latitude: Double
    package var longitude: Double
    /// Identifiers of requests that have ended, oldest first, which are not registered again. At most the newest
    /// ``limit``.
    package private(set) var done: [String]

    package static let limit = 4_096

    package init(latitude: Double, longitude: Double, done: [String] = []) {
        self.latitude = latitude
        self.longitude = longitude
        self.done = done.suffix(Self.limit)
    }

    mutating func remember(_ ids: [String]) { done = (done + ids).suffix(Self.limit) }
}
