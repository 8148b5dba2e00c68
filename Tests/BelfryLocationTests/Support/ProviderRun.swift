import Belfry
import BelfryTesting

/// A provider that runs, for as long as a test needs it.
struct ProviderRun {
    let fixes = FixRecord()
    let demands: LocationDemand.Source
    private let task: Task<Void, any Error>

    init(_ provider: any LocationProvider, _ demand: LocationDemand = LocationDemand(accuracy: 10, distance: 0)) {
        let (source, fixes) = (LocationDemand.Source(demand), fixes)
        demands = source
        task = Task { try await provider.run(demands: source.demands) { fixes.add($0) } }
    }

    func cancel() async throws {
        task.cancel()
        try await task.value
    }

    /// What the run threw, nil where it ended without an error.
    func failure() async -> NoticeError? {
        // A test that runs out of time cancels what it waits for.
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: { [task] in
            task.cancel()
        }
        guard case .failure(let error) = result else { return nil }
        return error as? NoticeError
    }
}

/// Runs a provider while `body` does.
@discardableResult
func running<Value>(
    _ provider: any LocationProvider,
    _ demand: LocationDemand = LocationDemand(accuracy: 10, distance: 0),
    _ body: (ProviderRun) async throws -> Value
) async throws -> Value {
    let run = ProviderRun(provider, demand)
    let value: Value
    do { value = try await body(run) } catch {
        try? await run.cancel()
        throw error
    }
    try await run.cancel()
    return value
}
