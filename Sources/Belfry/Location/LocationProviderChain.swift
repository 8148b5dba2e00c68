/// Several providers, of which the first one that has location fixes is used.
///
/// They are tried in order: when one throws ``NoticeError/Code/locationUnavailable``, at once or later, the next one is
/// tried. After ``NoticeError/Code/locationDenied`` no other is tried, because the user's refusal applies to all of
/// them.
///
/// ```swift
/// import BelfryGPSD
/// import BelfryGeoClue
///
/// func makeProvider(for app: AppIdentity) -> LocationProviderChain {
///     LocationProviderChain([GeoClueProvider(for: app), GPSDProvider()])
/// }
/// ```
public struct LocationProviderChain: LocationProvider {
    public let name: String
    public var mayBlock: Bool { false }
    private let providers: [any LocationProvider]

    /// Creates a chain that tries the providers in this order.
    public init(_ providers: [any LocationProvider]) {
        self.providers = providers
        name = providers.map(\.name).joined(separator: ", ")
    }

    /// Runs the providers, one after the other, until the task is canceled.
    ///
    /// - Throws: ``NoticeError/Code/locationUnavailable`` with all reasons if no provider has fixes, and
    ///   ``NoticeError/Code/locationDenied`` as soon as one is denied them. Both are permanent for this run.
    public func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) {
        var reasons: [String] = []
        for provider in providers {
            do throws(NoticeError) { return try await provider.performRun(demands: demands, reporting: report) } catch {
                guard error.code == .locationUnavailable, !Task.isCancelled else { throw error }
                reasons.append("\(provider.name): \(error.message)")
            }
        }
        throw NoticeError(
            .locationUnavailable,
            reasons.isEmpty ? "There is no location provider in the chain." : reasons.joined(separator: " ")
        )
    }
}
