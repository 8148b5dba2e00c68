import Belfry

/// GeoClue's levels of accuracy, which its sources have and its clients ask for (GClueAccuracyLevel).
public enum GeoClueAccuracy: UInt32, Sendable, Hashable, CaseIterable, Comparable {
    /// The country.
    case country = 1
    /// The city.
    case city = 4
    /// The neighborhood.
    case neighborhood = 5
    /// The street.
    case street = 6
    /// As exact as GeoClue can.
    case exact = 8

    public static func < (one: GeoClueAccuracy, other: GeoClueAccuracy) -> Bool { one.rawValue < other.rawValue }

    /// The least level that promises a position known to `metres`. GeoClue's own radii are 300 km for a country, 15 km
    /// for a city and 1 km for a street; for a neighbourhood it names none, and 3 km is taken.
    init(metres: Double) {
        self =
            if metres >= 300_000 { .country } else if metres >= 15_000 { .city } else if metres >= 3_000 {
                .neighborhood
            } else if metres >= 1_000 { .street } else { .exact }
    }

    /// The level for a demand on a client that has `current` now: a higher one at once, a lower one when even twice the
    /// accuracy is enough for it. A change of level stops the sources and starts them again.
    static func level(for demand: LocationDemand, current: GeoClueAccuracy) -> GeoClueAccuracy {
        let wanted = GeoClueAccuracy(metres: demand.accuracy)
        if wanted >= current { return wanted }
        return min(current, GeoClueAccuracy(metres: demand.accuracy / 2))
    }
}

extension LocationDemand {
    /// Whole metres, rounded down: a movement that is demanded is never too small to be told of. 0 is every fix.
    var geoClueThreshold: UInt32 { distance.isFinite ? UInt32(min(max(distance, 0), 1e9)) : 0 }
}
