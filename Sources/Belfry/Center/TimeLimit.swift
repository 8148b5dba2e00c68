import Synchronization

/// Waits for `work` no longer than `limit`; nil when it took longer.
///
/// Unlike a task group this does not wait for work that ignores its cancellation: it goes on by itself, and what it
/// answers too late goes to `late`.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration, late: (@Sendable (Value) -> Void)? = nil, _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    let isDecided = Mutex(false)
    let isFirst: @Sendable () -> Bool = {
        isDecided.withLock { decided in
            defer { decided = true }
            return !decided
        }
    }
    return await withCheckedContinuation { continuation in
        let working = Task {
            let value = await work()
            if isFirst() { continuation.resume(returning: value) } else { late?(value) }
        }
        Task {
            try? await ContinuousClock().sleep(for: limit)
            guard isFirst() else { return }
            working.cancel()
            continuation.resume(returning: nil)
        }
    }
}
