import Belfry
import BelfryBus

/// The events since the session last read them. Its size is bounded: only the newest of each kind is kept.
final class GeoClueNews: Sendable {
    struct Items: Sendable {
        /// GeoClue's current unique name.
        var owner: String?
        /// The newest demand.
        var demand: LocationDemand?
        /// The client whose signals are processed.
        var client: GeoClueClient?
        /// The location that was read last: GeoClue may change it without a signal.
        var location: BusObjectPath?

        // The fields that reading resets.
        var moved: BusObjectPath?
        var mustLook = false
        var mayHaveStopped = false
        /// The client that has had no position for too long.
        var withoutFix: GeoClueClient?
        fileprivate var isNew = false
        fileprivate var isLookPlanned = false
    }

    private let items = AwaitedState(Items())

    /// The current state.
    var current: Items { items.current }

    func update(_ change: (inout Items) -> Void) {
        items.withLock { items in
            change(&items)
            items.isNew = true
        }
    }

    /// Waits for the first demand; nil when the task is canceled.
    func firstDemand() async -> LocationDemand? {
        _ = await items.waitUnlessCancelled { $0.demand != nil }
        return current.demand
    }

    /// Waits for the next events and returns them all; nil when the task is canceled.
    func next() async -> Items? {
        guard await items.waitUnlessCancelled(until: \.isNew) else { return nil }
        return items.withLock { items in
            let taken = items
            (items.moved, items.withoutFix) = (nil, nil)
            (items.mustLook, items.mayHaveStopped, items.isNew) = (false, false, false)
            return taken
        }
    }

    /// Applies `change` after a delay; `change` has to check what the session's state is by then.
    func update(after delay: Duration, _ change: @escaping @Sendable (inout Items) -> Void) {
        _ = Timeout.begin(delay) { [weak self] in self?.update(change) }
    }

    /// Schedules another read of the location; further calls before it have no effect.
    func planLook(noSoonerThan shortest: Duration) {
        let delay = items.withLock { items -> Duration? in
            guard !items.isLookPlanned else { return nil }
            items.isLookPlanned = true
            // The speed of a vehicle, 40 m/s, and ten minutes at most.
            let seconds = min(max(items.demand?.distance ?? 0, 0) / 40, 600)
            return max(.milliseconds(Int((seconds.isFinite ? seconds : 600) * 1_000)), shortest)
        }
        guard let delay else { return }
        update(after: delay) { items in
            items.isLookPlanned = false
            items.mustLook = true
        }
    }
}
