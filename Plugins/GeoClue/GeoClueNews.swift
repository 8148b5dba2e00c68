import Belfry
import BelfryBus
import Synchronization

/// What has happened since the session last looked. It can't grow: of each kind only the newest counts.
final class GeoClueNews: Sendable {
    struct Items: Sendable {
        /// GeoClue's unique name of the moment.
        var owner: String?
        /// The newest one.
        var demand: LocationDemand?
        /// The client whose signals count.
        var client: BusObjectPath?
        /// The location that was read last: GeoClue may change it without a word.
        var location: BusObjectPath?

        // What is taken by looking.
        var moved: BusObjectPath?
        var mustLook = false
        var mayHaveStopped = false
        /// The client that has had no position for too long.
        var withoutFix: BusObjectPath?
        fileprivate var isLookPlanned = false
    }

    private let items = Mutex(Items())
    private let bell = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// What is known now.
    var current: Items { items.withLock { $0 } }

    func update(_ change: (inout Items) -> Void) {
        items.withLock { change(&$0) }
        bell.continuation.yield()
    }

    /// Returns when something has happened, with all that has; nil when the task is cancelled.
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

    /// Updates after a time; what has become of the session until then is for the change to look at.
    func update(after delay: Duration, _ change: @escaping @Sendable (inout Items) -> Void) {
        _ = Timeout.begin(delay) { [weak self] in self?.update(change) }
    }

    /// The location is looked at again in a while; once, however often this is called meanwhile.
    func planLook(noSoonerThan shortest: Duration) {
        let delay = items.withLock { items -> Duration? in
            guard !items.isLookPlanned else { return nil }
            items.isLookPlanned = true
            // A vehicle's 40 m/s, and ten minutes at most.
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
