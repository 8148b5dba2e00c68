package import Dispatch

extension DispatchQueue {
    /// Runs `work` after the queue's waiting work, off the caller's thread.
    package func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in async { continuation.resume(returning: work()) } }
    }
}
