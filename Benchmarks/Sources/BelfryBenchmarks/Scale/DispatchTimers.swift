import Dispatch
import Foundation
import Synchronization

/// What an app does without a schedule: one dispatch timer for each request, found again by identifier.
final class DispatchTimers {
    private let queue = DispatchQueue(label: "benchmark.timers")
    private var timers: [String: any DispatchSourceTimer] = [:]
    private let counter = Counter()

    /// Counts from any thread.
    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    var firedCount: Int { counter.value.load(ordering: .relaxed) }

    func add(_ id: String, after seconds: Double) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + seconds)
        timer.setEventHandler { [counter] in
            keep(id)
            counter.value.add(1, ordering: .relaxed)
        }
        timer.activate()
        timers[id] = timer
    }

    func remove(_ id: String) { timers.removeValue(forKey: id)?.cancel() }

    /// Returns when all that was handed to the queue is done.
    func settle() { queue.sync {} }
}
