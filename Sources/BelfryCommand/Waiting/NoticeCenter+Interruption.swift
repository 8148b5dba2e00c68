import Belfry

extension NoticeCenter {
    /// Runs the center while `body` runs. An interruption cancels only `body`, so that its cleanup can still use the
    /// center. The center ends after `body`.
    func runInterruptibly<Value: Sendable>(
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Value
    ) async throws -> Value {
        let isInterrupted = AwaitedState(false)
        let executor = AppThreads.preference
        let session = Task(executorPreference: executor) {
            try await self.run { center in
                let work = Task(executorPreference: executor) { try await body(center) }
                // The center may begin after the interruption.
                let watch = Task(executorPreference: CenterThread.shared) {
                    if await isInterrupted.waitUnlessCancelled(until: { $0 }) { work.cancel() }
                }
                defer { watch.cancel() }
                return try await withTaskCancellationHandler {
                    try await work.value
                } onCancel: {
                    work.cancel()
                }
            }
        }
        return try await withTaskCancellationHandler {
            try await session.value
        } onCancel: {
            isInterrupted.withLock { $0 = true }
        }
    }
}
