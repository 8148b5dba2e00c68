import Belfry
import Synchronization

/// Runs `body`, and gives it up when it has taken longer than `limit` of real time. It is cancelled then, and left
/// behind where it does not care: what is under test may hang, the test must not.
func within<Value: Sendable>(
    _ limit: Duration,
    _ what: String,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let race = Race<Value>()
    let work = Task { race.finish(await Result { try await body() }) }
    let alarm = Task {
        // Cancelled when the work is done first.
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        race.finish(.failure(ConformanceFailure("\(what) took longer than \(limit.seconds) s")))
        work.cancel()
    }
    let result = await withTaskCancellationHandler {
        await race.result
    } onCancel: {
        work.cancel()
        race.finish(.failure(CancellationError()))
    }
    alarm.cancel()
    return try result.get()
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// The first result of several, for one who waits.
private final class Race<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiter: CheckedContinuation<Result<Value, any Error>, Never>?
    }

    private let state = Mutex(State())

    func finish(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<Value, any Error>, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    var result: Result<Value, any Error> {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state in
                    if state.result == nil { state.waiter = continuation }
                    return state.result
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}
