// Apple's module brings Foundation along, and ported files rely on it.
@_exported import Foundation

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Meters.
public typealias CLLocationDistance = Double

/// A place on the ground.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north, −90 to 90.
    public var latitude: CLLocationDegrees
    /// Degrees east, −180 to 180.
    public var longitude: CLLocationDegrees

    /// 0, 0.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// A place by its degrees.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// Whether the degrees are in their ranges.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coordinate.latitude) && (-180...180).contains(coordinate.longitude)
}

/// A region with a border. Make a ``CLCircularRegion``.
open class CLRegion: NSObject, @unchecked Sendable {
    // Who changes it while others read it does so as with Apple; a trigger takes a copy.

    /// The app's name for it.
    public let identifier: String
    /// Whether coming in counts.
    open var notifyOnEntry = true
    /// Whether going out counts.
    open var notifyOnExit = true

    init(identifier: String) { self.identifier = identifier }

    package func snapshot() -> CLRegion { copyWishes(to: CLRegion(identifier: identifier)) }

    fileprivate func copyWishes(to region: CLRegion) -> CLRegion {
        region.notifyOnEntry = notifyOnEntry
        region.notifyOnExit = notifyOnExit
        return region
    }
}

/// A circle on the ground.
public final class CLCircularRegion: CLRegion, @unchecked Sendable {
    /// Its middle.
    public let center: CLLocationCoordinate2D
    /// Meters.
    public let radius: CLLocationDistance

    /// A circle. Who adds a request with it learns of values that are out of range: 1 m to 1,000 km.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }

    /// Whether a place is in the circle, by the great circle on a sphere: wrong by at most 0.6 % of the distance.
    public func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        center.distance(to: coordinate) <= radius
    }

    package override func snapshot() -> CLRegion {
        copyWishes(to: CLCircularRegion(center: center, radius: radius, identifier: identifier))
    }
}

/// A Bluetooth beacon: there is no source of them here, and `add` refuses a trigger with one.
public final class CLBeaconRegion: CLRegion, @unchecked Sendable {
    /// The beacon's own number.
    public let uuid: UUID

    /// Names a beacon.
    public init(uuid: UUID, identifier: String) {
        self.uuid = uuid
        super.init(identifier: identifier)
    }

    package override func snapshot() -> CLRegion {
        copyWishes(to: CLBeaconRegion(uuid: uuid, identifier: identifier))
    }
}

extension CLLocationCoordinate2D {
    /// Meters along the ground (haversine formula).
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
