import Synchronization

/// The first of several providers that has positions.
///
/// They are tried in order: who throws ``NoticeError/Code/locationUnavailable``, at once or after a while, is followed
/// by the next. A refusal (``NoticeError/Code/locationDenied``) ends it: what the user has said no to is not got from
/// elsewhere.
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
            // The demands may end first: the last of them stands.
            for await outcome in group {
                guard case .some(let failure) = outcome else { continue }
                group.cancelAll()
                return failure
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Nil: it has no more to say.
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

/// Hands the demands to whoever is tried at the moment, which begins with the newest.
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

    /// The first demand is there when a run begins, or comes at once.
    func begin() async -> LocationDemand.Updates {
        let first = await first.value(late: .first, cancelled: .first)
        return state.withLock { state in
            let source = LocationDemand.Source(state.newest ?? first)
            state.source = source
            return source.demands
        }
    }
}
