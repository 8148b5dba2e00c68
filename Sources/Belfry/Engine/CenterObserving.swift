/// Who is told what an engine does, beside the listeners of its events.
struct EngineObservers {
    var quiet = QuietWaiters()
    var pendingCount = PendingCountWatch()
}

/// Tells one observer how many requests are pending, whenever that has changed.
struct PendingCountWatch {
    private var observer: (@Sendable (Int) -> Void)?
    private var lastCount: Int?

    mutating func begin(_ observer: @escaping @Sendable (Int) -> Void) {
        self.observer = observer
        lastCount = nil
    }

    /// O(snoozed) where somebody observes.
    mutating func update(_ schedule: Schedule) {
        guard let observer else { return }
        let count = schedule.pendingCount
        guard count != lastCount else { return }
        lastCount = count
        observer(count)
    }
}

extension EmbeddedEngine {
    func observe(_ observer: @escaping @Sendable (CenterEvent) -> Void) { eventBroadcast.observe(observer) }

    fileprivate func observePendingCount(_ observer: @escaping @Sendable (Int) -> Void) {
        observers.pendingCount.begin(observer)
        // What is in the store isn't known before it is open.
        if commits.isOpen { observers.pendingCount.update(schedule) }
    }
}

extension NoticeCenter {
    /// `observer` gets every event from now on, and the errors that nobody has heard yet. It is none of the listeners
    /// of ``events()``: what waits for one of those still waits. It must not block: deliveries would be late.
    package func observe(_ observer: @escaping @Sendable (CenterEvent) -> Void) async {
        await engine.observe(observer)
    }

    /// `observer` gets the number of requests that wait and of snoozed notices, now and after each change; one at a
    /// time. It must not block. A center of the agent's never calls it: apps share that process.
    package func observePendingCount(_ observer: @escaping @Sendable (Int) -> Void) async {
        await (engine as? EmbeddedEngine)?.observePendingCount(observer)
    }
}
