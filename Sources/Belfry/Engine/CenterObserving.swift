/// Reports the number of pending requests to one observer, whenever it changes.
struct PendingCountWatch {
    private var observer: (@Sendable (Int) -> Void)?
    private var lastCount: Int?

    mutating func begin(_ observer: @escaping @Sendable (Int) -> Void) {
        self.observer = observer
        lastCount = nil
    }

    /// Reports the count if it has changed. It isn't counted without an observer.
    mutating func update(_ count: @autoclosure () -> Int) {
        guard let observer else { return }
        let count = count()
        guard count != lastCount else { return }
        lastCount = count
        observer(count)
    }
}

extension EmbeddedEngine {
    func observe(_ observer: @escaping @Sendable (CenterEvent) -> Void) { eventBroadcast.observe(observer) }

    fileprivate func observePendingCount(_ observer: @escaping @Sendable (Int) -> Void) {
        pendingCountWatch.begin(observer)
        // The content of the store isn't known before it is open.
        if commits.isOpen { pendingCountWatch.update(schedule.pendingCount) }
    }
}

extension NoticeCenter {
    /// Calls `observer` with every event from now on, and with errors that no listener has received yet. An observer is
    /// not a listener of ``events()``: kept events still wait for one. It must not block, or deliveries are late.
    package func observe(_ observer: @escaping @Sendable (CenterEvent) -> Void) async {
        await engine.observe(observer)
    }

    /// Calls `observer` with the number of pending requests and snoozed notices, now and after each change, one call at
    /// a time. It must not block. For centers of the agent it is never called, because apps share that process.
    package func observePendingCount(_ observer: @escaping @Sendable (Int) -> Void) async {
        await (engine as? EmbeddedEngine)?.observePendingCount(observer)
    }
}
