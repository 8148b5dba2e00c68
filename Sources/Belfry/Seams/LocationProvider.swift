import Foundation

/// Where the machine is. Regions are the core's business; a provider knows positions only.
public protocol LocationProvider: Sendable {
    /// Reports fixes until the task is cancelled.
    func run(reporting report: @escaping @Sendable (PositionFix) -> Void) async throws(NoticeError)
}

/// A position at a time.
public struct PositionFix: Sendable, Codable, Hashable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Radius in metres within which the true position is; nil where the source does not say.
    public var accuracy: Double?
    public var at: Date

    public init(latitude: Double, longitude: Double, accuracy: Double? = nil, at: Date) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.at = at
    }
}
