import Belfry

/// News that has a place.
public struct Story: Sendable, Hashable, Codable, Identifiable {
    /// Stays the same for as long as the story is told: who has heard it once doesn't hear it again.
    public var id: String
    public var headline: String
    public var place: String
    public var kind: String
    /// Degrees.
    public var latitude: Double
    public var longitude: Double
    /// Meters; ``usualRadius`` where there is none.
    public var radius: Double?

    public static let usualRadius = 120.0
    public static let largestRadius = 300.0

    public var region: CircularRegion {
        CircularRegion(latitude: latitude, longitude: longitude, radius: radius ?? Self.usualRadius)
    }

    /// Comes when the place is approached, once.
    public var request: NoticeRequest {
        var content = NoticeContent(title: headline, body: "You are near \(place).", level: .passive)
        content.thread = "local news"
        content.userInfo = ["story": .string(id)]
        return NoticeRequest(
            id: id,
            content: content,
            trigger: LocationTrigger(region: region),
            // News of a place that was left long ago is none.
            misfire: .deliver(within: .seconds(900))
        )
    }
}
