import Belfry
import BelfryRecurrence

/// Adds to the agent, or where there is none, or another store, backend or source of positions is named, keeps it here and
/// waits for its end.
struct Adding {
    let app: AppIdentity
    let delivery: BackendOptions
    let keeping: StoreOptions
    /// The store alone keeps it: this process ends.
    let isKept: Bool
    var location: LocationSource?
    let zone: ZoneRules
    let output: CommandOutput

    /// - Parameter add: Adds, reports, and answers the request's identifier, or the base of a series.
    func perform(_ add: @escaping @Sendable (NoticeCenter, CenterReporter) async throws -> String) async throws {
        let name = try delivery.name()
        let chosen = try BackendChoice(app: app, output: output).choose(name)
        let reporter = CenterReporter(output: output, chosen: chosen, zone: zone)
        // Each request has the name under which it speaks: the agent must not take it for this command's own.
        let owner = app.id == AppIdentity.command().id ? .command() : app
        if location == nil, let agent = await keeping.agent(for: owner, showing: name) {
            _ = try await add(agent, reporter)
            return output.remark("the agent keeps it; 'belfry list' shows what is pending")
        }
        let session = CenterSession(
            app: app,
            chosen: chosen,
            store: try await keeping.open() ?? MemoryRequestStore(),
            location: try (location ?? .auto).provider(for: app)
        )
        let (isKept, output) = (isKept, output)
        try await session.running(showing: !isKept) { center in
            let events = await center.events()
            let id = try await add(center, reporter)
            guard !isKept else { return }
            output.remark("waiting in this process, Ctrl-C to stop")
            try await PendingWait(center: center, events: events, reporter: reporter).finish(with: id)
        }
    }
}
