import Belfry

/// Runs `body`, and gives it up when it has taken longer than `limit` of real time. It is cancelled then, and left
/// behind where it does not care: what is under test may hang, the test must not.
func within<Value: Sendable>(
    _ limit: Duration,
    _ what: String,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let result = AwaitedValue<Result<Value, any Error>>()
    let work = Task {
        do { result.give(.success(try await body())) } catch { result.give(.failure(error)) }
    }
    defer { work.cancel() }
    return try await result.value(
        within: limit,
        late: .failure(ConformanceFailure("\(what) took longer than \(limit.seconds) s")),
        cancelled: .failure(CancellationError())
    ).get()
}
