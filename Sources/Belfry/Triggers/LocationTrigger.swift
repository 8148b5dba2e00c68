import BelfryRecurrence

/// A circle on the ground.
///
/// ```swift
/// let shop = CircularRegion(latitude: 48.137, longitude: 11.575, radius: 150)
/// try await center.add(NoticeRequest(id: "milk", title: "Buy milk", trigger: LocationTrigger(region: shop)))
/// ```
public struct CircularRegion: Sendable, Codable, Hashable {
    /// Degrees north, −90 to 90.
    public var latitude: Double
    /// Degrees east, −180 to 180.
    public var longitude: Double
    /// Meters, 1 to 1,000,000.
    public var radius: Double

    /// Creates a region; `add` checks the ranges.
    public init(latitude: Double, longitude: Double, radius: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
    }

    /// Checks the ranges. Throws ``NoticeError/Code/invalidRegion`` with the value that is out of range; permanent.
    func validate() throws(NoticeError) {
        guard (-90...90).contains(latitude) else {
            throw NoticeError(.invalidRegion, "A latitude of \(latitude)°: it must be −90 to 90.")
        }
        guard (-180...180).contains(longitude) else {
            throw NoticeError(.invalidRegion, "A longitude of \(longitude)°: it must be −180 to 180.")
        }
        guard (1...1_000_000).contains(radius) else {
            throw NoticeError(.invalidRegion, "A radius of \(radius) m: it must be 1 m to 1,000 km.")
        }
    }
}

extension CircularRegion {
    /// The direction in which the device crosses a region's border.
    public enum Edge: String, Sendable, Codable, Hashable, CaseIterable {
        /// Into the region.
        case entry
        /// Out of the region.
        case exit
        /// Both directions.
        case both

        func includes(_ crossing: Crossing) -> Bool {
            switch self {
            case .both: true
            case .entry: crossing == .entered
            case .exit: crossing == .left
            }
        }
    }
}

extension CircularRegion {
    /// A crossing of a region's border.
    public enum Crossing: String, Sendable, Codable, Hashable, CaseIterable {
        /// The device entered the region.
        case entered
        /// The device left the region.
        case left

        /// The detail of a history entry.
        var detail: String {
            switch self {
            case .entered: "the region was entered"
            case .left: "the region was left"
            }
        }
    }
}

/// Fires when the device crosses the border of a region.
///
/// ```swift
/// let shop = CircularRegion(latitude: 48.137, longitude: 11.575, radius: 150)
/// let arrival = LocationTrigger(region: shop, during: "Mon..Sat 08..19:*")
/// let milk = NoticeRequest(id: "milk", title: "Buy milk", trigger: arrival)
/// ```
///
/// A device that is inside when the request is added has not entered the region. <doc:regions> has the rules.
public struct LocationTrigger: RegionTrigger {
    public static let kind: TriggerKind = "location"

    public var region: CircularRegion
    public var edge: CircularRegion.Edge
    /// How long the device must stay on the other side of the border; 400 days at most.
    public var dwell: Duration
    public var repeats: Bool
    /// A systemd.time expression, such as `Mon..Fri 08..18:*`: the trigger fires only in local minutes that match. Nil
    /// is always. It follows the system's time zone unless it names one.
    public var during: String?

    /// Creates a trigger; `add` checks it.
    public init(
        region: CircularRegion,
        edge: CircularRegion.Edge = .entry,
        dwell: Duration = .zero,
        repeats: Bool = false,
        during: String? = nil
    ) {
        self.region = region
        self.edge = edge
        self.dwell = dwell
        self.repeats = repeats
        self.during = during
    }
}

extension RegionTrigger {
    public var during: String? { nil }

    /// Checks the region, the dwell time and `during`.
    ///
    /// - Throws: ``NoticeError/Code/invalidRegion`` for a region or a dwell time that is out of range.
    ///   ``NoticeError/Code/invalidNotation`` if `during` can't be parsed, and ``NoticeError/Code/neverFires``
    ///   if it matches no time. All are permanent.
    public func validate() throws(NoticeError) { try validateRegion() }

    /// Checks the requirements of all kinds, even if the trigger's own `validate` does not.
    func validateRegion() throws(NoticeError) {
        try region.validate()
        guard dwell >= .zero, dwell <= .seconds(400 * 86_400) else {
            throw NoticeError(.invalidRegion, "A dwell time of \(dwell.seconds) s: it must be 0 to 400 days.")
        }
        if let during { _ = try MinuteWindow(parsing: during) }
    }

    public var warnings: [String] {
        guard let during, let expression = try? CalendarExpression(parsing: during),
            expression.description.contains(" 00:00:00")
        else { return [] }
        return ["'\(during)' is the minute at midnight alone; for the whole day write '*:*' after it."]
    }
}
