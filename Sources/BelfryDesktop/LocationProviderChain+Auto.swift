public import Belfry
import BelfryGPSD
import BelfryGeoClue

extension LocationProvider where Self == LocationProviderChain {
    /// GeoClue, and if it has no position, gpsd on this machine.
    ///
    /// ```swift
    /// let center = NoticeCenter(app: app, backend: .auto(for: app), location: .auto(for: app))
    /// ```
    public static func auto(for app: AppIdentity) -> LocationProviderChain {
        LocationProviderChain([GeoClueProvider(for: app), GPSDProvider()])
    }
}
