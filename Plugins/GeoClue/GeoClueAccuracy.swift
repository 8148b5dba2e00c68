import Belfry

/// GeoClue's levels of accuracy, for its sources and for its clients' requests (GClueAccuracyLevel).
///
/// ```swift
/// if let best = try await GeoClueProvider(for: app).bestAccuracy(), best < .street {
///     print("The machine has no source that finds a region of a few hundred meters.")
/// }
/// ```
public enum GeoClueAccuracy: UInt32, Sendable, Hashable, CaseIterable, Comparable {
    /// The country.
    case country = 1
    /// The city.
    case city = 4
    /// The neighborhood.
    case neighborhood = 5
    /// The street.
    case street = 6
    /// The best accuracy that GeoClue has.
    case exact = 8

    public static func < (one: GeoClueAccuracy, other: GeoClueAccuracy) -> Bool { one.rawValue < other.rawValue }

    /// The lowest level that promises a position within `meters`. GeoClue's own radii are 300 km for a country, 15 km
    /// for a city and 1 km for a street. It defines none for a neighborhood; 3 km is assumed.
    init(meters: Double) {
        self =
            if meters >= 300_000 { .country } else if meters >= 15_000 { .city } else if meters >= 3_000 {
                .neighborhood
            } else if meters >= 1_000 { .street } else { .exact }
    }

    /// The level for a demand on a client whose level is `current`. It rises at once, but falls only if even twice the
    /// accuracy is enough. A change of level stops and restarts the sources.
    static func level(for demand: LocationDemand, current: GeoClueAccuracy) -> GeoClueAccuracy {
        let wanted = GeoClueAccuracy(meters: demand.accuracy)
        if wanted >= current { return wanted }
        return min(current, GeoClueAccuracy(meters: demand.accuracy / 2))
    }
}

extension LocationDemand {
    /// The distance in whole meters, rounded down, so that GeoClue reports every demanded movement. 0 means every fix.
    var geoClueThreshold: UInt32 { distance.isFinite ? UInt32(min(max(distance, 0), 1e9)) : 0 }
}
