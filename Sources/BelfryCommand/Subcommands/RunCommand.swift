import ArgumentParser
import Belfry
import BelfryConsole
import Foundation

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a center in the foreground until interrupted; print what it does.",
        discussion: """
            With --store it shows what is kept there, what was missed meanwhile at once; without, the center has no \
            requests, and tells of the desktop alone, such as a notification server that comes and goes.
            """
    )

    @OptionGroup
    var delivery: BackendOptions

    @OptionGroup
    var keeping: StoreOptions

    @OptionGroup
    var positions: LocationOptions

    @OptionGroup
    var speech: OutputOptions

    func run() async throws {
        let output = speech.output
        let app = AppIdentity.command()
        let chosen = try BackendChoice(app: app, output: output).choose(try delivery.name())
        let reporter = CenterReporter(output: output, chosen: chosen)
        let store = try await keeping.open()
        keeping.reportDamage(to: output)
        let session = CenterSession(
            app: app,
            chosen: chosen,
            store: store ?? .memory,
            location: try (positions.source() ?? .auto).provider(for: app)
        )
        // Before it runs: what is late is shown at once.
        let events = await session.center.events()
        try await session.running { center in
            let server = try? await center.capabilities().server
            let pending = try await center.pending().count
            try output.object([
                ("backend", .string(chosen.backend.name)), ("server", server.map { .string($0) }),
                ("pending", .int(Int64(pending))),
            ])
            try output.line("running over \(chosen.backend.name)\(server.map { " (\($0))" } ?? "")", .strong)
            output.remark("\(pending) pending; Ctrl-C to stop")
            for await event in events { try reporter.report(event) }
            try Task.checkCancellation()
        }
    }
}
