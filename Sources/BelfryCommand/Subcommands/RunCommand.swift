#if CommandLine
import ArgumentParser
import Belfry
import BelfryConsole
import FoundationEssentials

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Show the notices of a store until interrupted.",
        discussion: """
            A center runs in the foreground and prints what it does. With --store it shows the requests of that store; \
            those that were missed are shown at once. Without a store the center has no requests: it only reports the \
            backend and the notification server, and waits.
            """
    )

    @OptionGroup
    var delivery: BackendOptions

    @OptionGroup
    var store: StoreOptions

    @OptionGroup
    var location: LocationOptions

    @OptionGroup
    var output: OutputOptions

    func run() async throws {
        let output = output.writer
        let app = AppIdentity.command()
        let chosen = try ChosenBackend(try delivery.name(), for: app, output)
        let reporter = CenterReporter(output: output, chosen: chosen)
        let center = try await store.center(for: app, showing: chosen, location: try location.source())
        store.reportDamage(to: output)
        // Subscribed before the run, because late notices are shown immediately.
        let events = await center.events()
        try await center.runInterruptibly { center in
            let server = try? await center.capabilities().server
            let pending = try await center.pending().count
            try output.result(
                ["backend": chosen.backend.name, "server": server, "pending": pending],
                "running over \(chosen.backend.name)\(server.map { " (\($0))" } ?? "")",
                .strong
            )
            output.note("\(pending) pending; Ctrl-C to stop")
            for await event in events { try reporter.report(event) }
            try Task.checkCancellation()
        }
    }
}
#endif
