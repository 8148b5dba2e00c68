import Belfry
import BelfryGPSD
import BelfryGeoClue

extension LocationProvider where Self == LocationProviderChain {
    /// Where positions come from unless somebody says otherwise: GeoClue, and where that has none, gpsd on this machine. Stands above
    /// the providers, since they never know each other, and below the agent and the command line, which both use it.
    package static func auto(for app: AppIdentity) -> LocationProviderChain {
        LocationProviderChain([GeoClueProvider(for: app), GPSDProvider()])
    }
}
