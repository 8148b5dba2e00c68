import Belfry

/// Runs `body` with a timeout in real time. When the timeout expires, `body` is canceled, and abandoned if it ignores
/// that: tested code may hang, but the test must not.
func within<Value: Sendable>(
    _ timeout: Duration,
    _ what: String,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let result = AwaitedValue<Result<Value, any Error>>()
    let work = Task {
        do { result.give(.success(try await body())) } catch { result.give(.failure(error)) }
    }
    defer { work.cancel() }
    return try await result.value(
        within: timeout,
        late: .failure(ConformanceError("\(what) took longer than \(timeout.seconds) s")),
        cancelled: .failure(CancellationError())
    ).get()
}
