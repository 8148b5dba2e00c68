/// A circle on the ground.
public struct CircularRegion: Sendable, Codable, Hashable {
    /// Degrees north, −90 to 90.
    public var latitude: Double
    /// Degrees east, −180 to 180.
    public var longitude: Double
    /// Metres, 1 to 1,000,000.
    public var radius: Double

    public init(latitude: Double, longitude: Double, radius: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
    }
}

/// Which way across a region's border.
public enum RegionEdge: String, Sendable, Codable, Hashable, CaseIterable {
    case entry, exit, both
}

/// Fires when the position crosses the border of a region.
public struct LocationTrigger: PlaceTrigger {
    public static let kind: TriggerKind = "location"

    public var region: CircularRegion
    public var edge: RegionEdge
    public var dwell: Duration
    public var repeats: Bool
    /// A systemd.time expression: crossings count in the local minutes that it matches, such as `Mon..Fri 08..18:*`. Nil is
    /// always.
    public var during: String?

    public init(region: CircularRegion, edge: RegionEdge = .entry, dwell: Duration = .zero, repeats: Bool = false) {
        self.region = region
        self.edge = edge
        self.dwell = dwell
        self.repeats = repeats
    }

    public func validate() throws(NoticeError) {
        guard (-90...90).contains(region.latitude) else {
            throw NoticeError(.invalidRegion, "A latitude of \(region.latitude)°: it must be −90 to 90.")
        }
        guard (-180...180).contains(region.longitude) else {
            throw NoticeError(.invalidRegion, "A longitude of \(region.longitude)°: it must be −180 to 180.")
        }
        guard (1...1_000_000).contains(region.radius) else {
            throw NoticeError(.invalidRegion, "A radius of \(region.radius) m: it must be 1 m to 1,000 km.")
        }
        guard dwell >= .zero else {
            throw NoticeError(.invalidRegion, "A dwell time of \(dwell.seconds) s: it must not be negative.")
        }
    }
}
