import Dispatch

extension DispatchQueue {
    /// Runs `work` after what the queue has to do already, off the thread of whoever waits for it.
    package func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in async { continuation.resume(returning: work()) } }
    }
}
