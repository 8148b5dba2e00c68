import Belfry
import BelfryBus
import Synchronization

/// The events since the session last read them. Its size is bounded: only the newest of each kind is kept.
final class GeoClueNews: Sendable {
    struct Items: Sendable {
        /// GeoClue's current unique name.
        var owner: String?
        /// The newest demand.
        var demand: LocationDemand?
        /// The client whose signals are processed.
        var client: BusObjectPath?
        /// The location that was read last: GeoClue may change it without a signal.
        var location: BusObjectPath?

        // The fields that reading resets.
        var moved: BusObjectPath?
        var mustLook = false
        var mayHaveStopped = false
        /// The client that has had no position for too long.
        var withoutFix: BusObjectPath?
        fileprivate var isLookPlanned = false
    }

    private let items = Mutex(Items())
    private let bell = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The current state.
    var current: Items { items.withLock { $0 } }

    func update(_ change: (inout Items) -> Void) {
        items.withLock { change(&$0) }
        bell.continuation.yield()
    }

    /// Waits for the next events and returns them all; nil when the task is cancelled.
    func next() async -> Items? {
        var waiting = bell.stream.makeAsyncIterator()
        guard await waiting.next(isolation: #isolation) != nil else { return nil }
        return items.withLock { items in
            let taken = items
            (items.moved, items.withoutFix) = (nil, nil)
            (items.mustLook, items.mayHaveStopped) = (false, false)
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
