import Belfry
import Synchronization

/// Writes down every wake-up with its instant.
final class WakeLog: WakeListener {
    struct Wake: Sendable, Equatable {
        var reason: WakeReason
        var at: TriggerInstant
    }

    private struct State {
        var wakes: [Wake] = []
        var waiting: [(reason: WakeReason, count: Int, waiter: CheckedContinuation<Void, Never>)] = []

        func count(of reason: WakeReason) -> Int { wakes.count { $0.reason == reason } }

        mutating func takeWaiters(where isReached: (WakeReason, Int) -> Bool) -> [CheckedContinuation<Void, Never>] {
            defer { waiting.removeAll { isReached($0.reason, $0.count) } }
            return waiting.filter { isReached($0.reason, $0.count) }.map(\.waiter)
        }
    }

    private let clock: any TriggerClock
    private let onWake: @Sendable (WakeReason) -> Void
    private let state = Mutex(State())

    var wakes: [Wake] { state.withLock { $0.wakes } }

    init(clock: any TriggerClock, onWake: @escaping @Sendable (WakeReason) -> Void = { _ in }) {
        self.clock = clock
        self.onWake = onWake
    }

    func woke(_ reason: WakeReason) {
        let wake = Wake(reason: reason, at: clock.now())
        onWake(reason)
        let reached = state.withLock { state in
            state.wakes.append(wake)
            let counts = { [state] in state.count(of: $0) >= $1 }
            return state.takeWaiters(where: counts)
        }
        for waiter in reached { waiter.resume() }
    }

    func processedWakeUps() async {}
    func quiet() async {}

    /// The first wake-up of a reason, past or to come. Others may come between: anybody may set this machine's clock.
    func first(_ reason: WakeReason) async throws -> Wake {
        try await reached(1, of: reason)
        return wakes.first { $0.reason == reason }!
    }

    /// Returns when there have been so many wake-ups of a reason; throws when the test's time limit cancels it.
    func reached(_ goal: Int, of reason: WakeReason) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isReached = state.withLock { state in
                    if state.count(of: reason) >= goal || Task.isCancelled { return true }
                    state.waiting.append((reason, goal, waiter))
                    return false
                }
                if isReached { waiter.resume() }
            }
        } onCancel: {
            for waiter in state.withLock({ $0.takeWaiters { _, _ in true } }) { waiter.resume() }
        }
        try Task.checkCancellation()
    }

    func count(of reason: WakeReason) -> Int { state.withLock { $0.count(of: reason) } }
}

/// Runs the alarm while `body` does; fails where the run does not end with its cancellation.
func running(_ alarm: any WakeAlarm, waking log: WakeLog, _ body: () async throws -> Void) async throws {
    let run = Task { try await alarm.run(waking: log) }
    do {
        try await body()
    } catch {
        run.cancel()
        throw error
    }
    run.cancel()
    try await run.value
}
