/// What a store keeps of a ``RegionFeed`` beside its pending requests.
public struct RegionFeedRecord: Sendable, Codable, Hashable {
    /// Where the source was asked last, in degrees: a place that was not near it then is held to have been outside.
    public var latitude: Double
    public var longitude: Double
    /// The identifiers that are over, oldest first: they are not registered again. No more than ``limit``, the newest.
    public private(set) var done: [String]

    public static let limit = 4_096

    public init(latitude: Double, longitude: Double, done: [String] = []) {
        self.latitude = latitude
        self.longitude = longitude
        self.done = Array(done.suffix(Self.limit))
    }

    private enum Key: String, CodingKey { case latitude, longitude, done }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            latitude: try values.decode(Double.self, forKey: .latitude),
            longitude: try values.decode(Double.self, forKey: .longitude),
            done: try values.decodeIfPresent([String].self, forKey: .done) ?? []
        )
    }

    mutating func remember(_ ids: [String]) { done = (done + ids).suffix(Self.limit) }
}
