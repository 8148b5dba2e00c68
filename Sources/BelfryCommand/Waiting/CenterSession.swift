#if CommandLine
import Belfry

/// A center for the duration of one command.
struct CenterSession: Sendable {
    let center: NoticeCenter

    init(
        app: AppIdentity,
        chosen: ChosenBackend,
        store: NoticeStore = .memory,
        location: (any LocationProvider)? = nil
    ) {
        center = NoticeCenter(app: app, backend: chosen.backend, store: store, location: location)
    }

    /// Creates a session with the store and location source of the command line.
    init(app: AppIdentity, chosen: ChosenBackend, keeping: StoreOptions, location: LocationSource?) async throws {
        let store = try await keeping.open()
        self.init(app: app, chosen: chosen, store: store, location: try (location ?? .auto).provider(for: app))
    }

    /// Runs the center while `body` runs. An interruption cancels only `body`, so that its cleanup can still use the
    /// center. The center ends after `body`.
    ///
    /// - Parameter showing: If false, only `body` runs, and nothing fires.
    func running<Value: Sendable>(
        showing: Bool = true,
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Value
    ) async throws -> Value {
        guard showing else { return try await body(center) }
        let interruption = Interruption()
        let executor = AppThreads.preference
        let session = Task(executorPreference: executor) {
            try await center.run { center in
                let work = Task(executorPreference: executor) { try await body(center) }
                interruption.attach { work.cancel() }
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
            interruption.happen()
        }
    }
}
#endif
