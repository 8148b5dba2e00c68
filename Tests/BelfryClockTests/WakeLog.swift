import Belfry

/// Writes down every wake with its instant; may hold the alarm until it is let go.
actor WakeLog: WakeListener {
    struct Wake: Sendable, Equatable {
        var reason: WakeReason
        var at: TriggerInstant
    }

    private let clock: any TriggerClock
    private let onWake: @Sendable (WakeReason) -> Void
    private(set) var wakes: [Wake] = []
    private var isHolding = false
    private var held: CheckedContinuation<Void, Never>?
    private var waiting: [(reason: WakeReason, count: Int, waiter: CheckedContinuation<Void, Never>)] = []

    init(clock: any TriggerClock, onWake: @escaping @Sendable (WakeReason) -> Void = { _ in }) {
        self.clock = clock
        self.onWake = onWake
    }

    func woke(_ reason: WakeReason) async {
        wakes.append(Wake(reason: reason, at: clock.now()))
        onWake(reason)
        let reached = waiting.filter { count(of: $0.reason) >= $0.count }
        waiting.removeAll { count(of: $0.reason) >= $0.count }
        for one in reached { one.waiter.resume() }
        if isHolding, reason == .due { await withCheckedContinuation { held = $0 } }
    }

    func quiet() async {}

    /// The first wake of a reason, past or to come. Others may come between: anybody may set this machine's clock.
    func first(_ reason: WakeReason) async throws -> Wake {
        try await reached(1, of: reason)
        return wakes.first { $0.reason == reason }!
    }

    /// Returns when there have been so many wakes of a reason; throws when the test's time limit cancels it.
    func reached(_ goal: Int, of reason: WakeReason) async throws {
        guard count(of: reason) < goal else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append((reason, goal, $0)) }
        } onCancel: {
            Task { await giveUp() }
        }
        try Task.checkCancellation()
    }

    private func giveUp() {
        for one in waiting { one.waiter.resume() }
        waiting = []
    }

    func count(of reason: WakeReason) -> Int { wakes.filter { $0.reason == reason }.count }

    func hold() { isHolding = true }
    func letGo() {
        isHolding = false
        held?.resume()
        held = nil
    }
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
