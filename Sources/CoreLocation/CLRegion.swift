// Apple's module exports Foundation, and ported files rely on it.
@_exported import Foundation

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Meters.
public typealias CLLocationDistance = Double

/// A coordinate on the earth.
///
/// ```swift
/// let office = CLLocationCoordinate2D(latitude: 48.137, longitude: 11.575)
/// print(CLLocationCoordinate2DIsValid(office))   // true
/// ```
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north, −90 to 90.
    public var latitude: CLLocationDegrees
    /// Degrees east, −180 to 180.
    public var longitude: CLLocationDegrees

    /// Creates the coordinate 0, 0.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// Creates a coordinate from degrees.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// Returns whether the degrees are in their ranges.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coordinate.latitude) && (-180...180).contains(coordinate.longitude)
}

/// A region with a border. Create a ``CLCircularRegion``.
///
/// ```swift
/// let center = CLLocationCoordinate2D(latitude: 48.137, longitude: 11.575)
/// let office: CLRegion = CLCircularRegion(center: center, radius: 200, identifier: "office")
/// office.notifyOnExit = false
/// ```
open class CLRegion: NSObject, @unchecked Sendable {
    // Concurrent changes are up to the app, as with Apple; a trigger takes a copy.

    /// The app's name for it.
    public let identifier: String
    /// Whether entering the region fires a trigger.
    open var notifyOnEntry = true
    /// Whether leaving the region fires a trigger.
    open var notifyOnExit = true

    init(identifier: String) { self.identifier = identifier }

    package func snapshot() -> CLRegion { copyEdges(to: CLRegion(identifier: identifier)) }

    fileprivate func copyEdges(to region: CLRegion) -> CLRegion {
        region.notifyOnEntry = notifyOnEntry
        region.notifyOnExit = notifyOnExit
        return region
    }
}

/// A circle on the earth.
///
/// ```swift
/// let home = CLLocationCoordinate2D(latitude: 48.153, longitude: 11.592)
/// let region = CLCircularRegion(center: home, radius: 150, identifier: "home")
/// print(region.contains(CLLocationCoordinate2D(latitude: 48.154, longitude: 11.592)))   // true: 111 m away
/// ```
public final class CLCircularRegion: CLRegion, @unchecked Sendable {
    /// The center of the circle.
    public let center: CLLocationCoordinate2D
    /// The radius in meters.
    public let radius: CLLocationDistance

    /// Creates a circle. Adding a request throws if the radius is out of range: 1 m to 1,000 km.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }

    /// Returns whether the circle contains a coordinate, on a sphere: the distance is wrong by at most 0.6 %.
    public func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        center.distance(to: coordinate) <= radius
    }

    package override func snapshot() -> CLRegion {
        copyEdges(to: CLCircularRegion(center: center, radius: radius, identifier: identifier))
    }
}

/// A Bluetooth beacon. Belfry has no source of beacons, so `add` refuses a trigger with one.
///
/// ```swift
/// let door = CLBeaconRegion(uuid: UUID(), identifier: "door")
/// print(door is CLCircularRegion)   // false, so no trigger can wait for it
/// ```
public final class CLBeaconRegion: CLRegion, @unchecked Sendable {
    /// The beacon's own number.
    public let uuid: UUID

    /// Creates a region for a beacon.
    public init(uuid: UUID, identifier: String) {
        self.uuid = uuid
        super.init(identifier: identifier)
    }

    package override func snapshot() -> CLRegion {
        copyEdges(to: CLBeaconRegion(uuid: uuid, identifier: identifier))
    }
}

extension CLLocationCoordinate2D {
    /// The distance in meters along the ground (haversine formula).
    fileprivate func distance(to other: Self) -> Double {
        let north = (other.latitude - latitude).radians / 2
        let east = (other.longitude - longitude).radians / 2
        let chord =
            sin(north) * sin(north) + cos(latitude.radians) * cos(other.latitude.radians) * sin(east) * sin(east)
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
}
