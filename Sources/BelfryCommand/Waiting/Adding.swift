#if CommandLine
import Belfry
import BelfryRecurrence

/// Adds requests to the agent. Without an agent, or with a given store, backend or location source, keeps them in this
/// process and waits for their end.
struct Adding {
    /// The request's identifier, or the base of a series.
    let id: String
    let app: AppIdentity
    let options: AddingOptions
    var location: LocationSource?
    let zone: ZoneRules
    let output: CommandOutput

    func perform(_ add: @escaping @Sendable (NoticeCenter) async throws -> CenterReporter.Added) async throws {
        let store = options.store
        let name = try options.delivery.name()
        let chosen = try ChosenBackend(name, for: app, output)
        let reporter = CenterReporter(output: output, chosen: chosen, zone: zone)
        // The app identity keeps its own name, so that the agent does not take it for this command's.
        let owner = app.id == AppIdentity.command().id ? .command() : app
        if location == nil, let agent = await store.agent(for: owner, showing: name) {
            defer { store.reportDamage(of: owner, to: output) }
            try await Self.perform(add, id, in: agent, reporter)
            return output.note("the agent keeps it; 'belfry list' shows what is pending")
        }
        let center = try await store.center(for: app, showing: chosen, location: location)
        if store.path != nil { store.reportDamage(to: output) }
        // Before the center runs: it shows at once what is due, and what was added is printed first.
        let events = await center.events()
        try await Self.perform(add, id, in: center, reporter)
        guard !options.noWait else { return }
        let (output, id) = (output, id)
        try await center.runInterruptibly { center in
            output.note("waiting in this process, Ctrl-C to stop")
            try await PendingWait(center: center, events: events, reporter: reporter).finish(with: id)
        }
    }

    private static func perform(
        _ add: @Sendable (NoticeCenter) async throws -> CenterReporter.Added,
        _ id: String,
        in center: NoticeCenter,
        _ reporter: CenterReporter
    ) async throws {
        // Queried before adding: afterwards the replaced request is unknown.
        let pending = try await center.pending()
        let added = try await add(center)
        let earlier = ReplacedRequest(added.report.added, in: pending, zone: reporter.zone)
        try reporter.report(added, id: id, replacing: earlier)
    }
}
#endif
