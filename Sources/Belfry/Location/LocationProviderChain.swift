import Synchronization

/// Several providers, of which the first one that has location fixes is used.
///
/// They are tried in order: when one throws ``NoticeError/Code/locationUnavailable``, at once or later, the next one is
/// tried. After ``NoticeError/Code/locationDenied`` no other is tried, because the user's refusal applies to all of
/// them.
///
/// ```swift
/// let provider = LocationProviderChain([GeoClueProvider(for: app), GPSDProvider()])
/// ```
public struct LocationProviderChain: NonblockingLocationProvider {
    public let name: String
    private let providers: [any LocationProvider]

    /// Creates a chain that tries the providers in this order.
    public init(_ providers: [any LocationProvider]) {
        self.providers = providers
        name = providers.map(\.name).joined(separator: ", ")
    }

    public func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) {
        let relay = DemandRelay()
        let failure: NoticeError? = await withTaskGroup(of: NoticeError??.self) { group in
            group.addTask {
                for await demand in demands { relay.send(demand) }
                return .none
            }
            group.addTask {
                var reasons: [String] = []
                for provider in providers {
                    do throws(NoticeError) {
                        return .some(try await end(of: provider, relay, report))
                    } catch {
                        guard error.code == .locationUnavailable, !Task.isCancelled else { return .some(error) }
                        reasons.append("\(provider.name): \(error.message)")
                    }
                }
                return .some(
                    NoticeError(
                        .locationUnavailable,
                        reasons.isEmpty ? "There is no location provider in the chain." : reasons.joined(separator: " ")
                    )
                )
            }
            // The demands may end first: the last of them stays in effect.
            for await outcome in group {
                guard case .some(let failure) = outcome else { continue }
                group.cancelAll()
                return failure
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Runs a provider; returns nil if it ends because it has no more fixes.
    private func end(
        of provider: any LocationProvider,
        _ relay: DemandRelay,
        _ report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) -> NoticeError? {
        let demands = await relay.begin()
        if provider is any NonblockingLocationProvider {
            try await provider.run(demands: demands, reporting: report)
            return nil
        }
        let result: Result<Void, NoticeError> = await withTaskExecutorPreference(AppThreads.shared) {
            do throws(NoticeError) {
                return .success(try await provider.run(demands: demands, reporting: report))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return nil
    }
}

/// Forwards the demands to the current provider, beginning with the newest.
private final class DemandRelay: Sendable {
    private struct State {
        var newest: LocationDemand?
        var source: LocationDemand.Source?
    }

    private let state = Mutex(State())
    private let first = AwaitedValue<LocationDemand>()

    func send(_ demand: LocationDemand) {
        let source = state.withLock { state in
            state.newest = demand
            return state.source
        }
        source?.send(demand)
        first.give(demand)
    }

    /// Returns the demands for a run. Waits for the first demand if there is none yet.
    func begin() async -> LocationDemand.Updates {
        let first = await first.value(late: .first, cancelled: .first)
        return state.withLock { state in
            let source = LocationDemand.Source(state.newest ?? first)
            state.source = source
            return source.demands
        }
    }
}
