import Dispatch
import Synchronization

/// Runs asynchronous work, on the pool of Swift's tasks or elsewhere, and waits for it on this thread.
func waiting<Value: Sendable>(
    on executor: (any TaskExecutor)? = nil,
    for work: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let outcome = Outcome<Value>()
    let done = DispatchSemaphore(value: 0)
    Task.detached(executorPreference: executor) {
        do { outcome.put(.success(try await work())) } catch { outcome.put(.failure(error)) }
        done.signal()
    }
    done.wait()
    return try outcome.get()
}

private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func put(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }

    func get() throws -> Value {
        guard let result = result.withLock({ $0 }) else { throw BenchmarkFault(description: "no outcome") }
        return try result.get()
    }
}
