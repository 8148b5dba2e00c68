import Belfry
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

    /// The handler holds what is to be shown.
    func add(_ request: NoticeRequest, after seconds: Double) {
        add(request.id, after: seconds) { [counter] in
            keep(request)
            counter.value.add(1, ordering: .relaxed)
        }
    }

    /// The handler holds the identifier alone: what is to be shown is kept elsewhere.
    func add(_ id: String, after seconds: Double) {
        add(id, after: seconds) { [counter] in
            keep(id)
            counter.value.add(1, ordering: .relaxed)
        }
    }

    private func add(_ id: String, after seconds: Double, handler: @escaping @Sendable () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + seconds)
        timer.setEventHandler(handler: handler)
        timer.activate()
        timers[id] = timer
    }

    func remove(_ id: String) { timers.removeValue(forKey: id)?.cancel() }

    /// Returns when all that was handed to the queue is done.
    func settle() { queue.sync {} }
}
