#if CommandLine
import ArgumentParser
import Belfry
import BelfrySchedules
import FoundationEssentials

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the notices of a schedule file.",
        discussion: """
            belfry import schedule.json
            belfry import schedule.json --dry-run
            belfry import schedule.json --watch

            The file is JSON or JSON5 in Belfry's own form or one of three others, or an iCalendar file with alarms. \
            Importing it again adds new notices, replaces changed ones, removes those that are gone, and leaves the \
            others as they are. The agent stores and shows the notices. Without an agent, or with --store or \
            --backend, the command waits and shows them itself.
            """,
        helpNames: [.short, .long]
    )

    @Argument(help: "The schedule file.", completion: .schedules)
    var file: String

    @Option(help: "The language of the texts, such as de; by default the system's.")
    var language: [String] = []

    @Option(
        help: .init(
            "The owner of the notices; by default the file's path. Notices of other owners stay as they are.",
            valueName: "name"
        )
    )
    var owner: String?

    @Flag(help: "Print what would change, without changing anything.")
    var dryRun = false

    @Flag(help: "Keep running, and read the file again when it changes.")
    var watch = false

    @OptionGroup
    var adding: AddingOptions

    @OptionGroup
    var location: LocationOptions

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if watch, dryRun { throw ValidationError("--watch and --dry-run exclude each other.") }
        if watch, adding.noWait { throw ValidationError("--watch and --no-wait exclude each other.") }
    }

    func run() async throws {
        let output = output.writer
        let store = adding.store
        let name = try adding.delivery.name()
        let path = PathText.path(file)
        let options = ScheduleOptions(languages: language.isEmpty ? nil : language, name: file)
        let schedule = try NoticeSchedule(contentsOf: path, options: options)
        let work = ScheduleImport(
            schedule: schedule,
            owner: owner ?? path,
            watch: watch ? ScheduleWatch(path, options: options) : nil,
            output: output
        )
        let app = AppIdentity.command()
        let location = try location.source()
        if location == nil, let agent = await store.agent(for: app, showing: name) {
            do {
                defer { store.reportDamage(to: output) }
                try await work.perform(in: agent, isTrial: dryRun)
            }
            if watch { return try await work.follow(with: agent) }
            return dryRun ? () : output.note("the agent keeps them; 'belfry list' shows what is pending")
        }
        let chosen = try ChosenBackend(name, for: app, output)
        let center = try await store.center(for: app, showing: chosen, location: location, isTrial: dryRun)
        if store.path != nil { store.reportDamage(to: output) }
        // Before the center runs: it shows at once what is due, and what was added is printed first.
        let events = await center.events()
        try await work.perform(in: center, isTrial: dryRun)
        guard !dryRun, !adding.noWait else { return }
        try await center.runInterruptibly { center in
            let reporter = CenterReporter(output: output, chosen: chosen)
            guard work.watch == nil else {
                output.note("following \(work.schedule.source), Ctrl-C to stop")
                return try await work.follow(with: center, events, reporter)
            }
            guard try await !center.pending().isEmpty else { return output.note("nothing is left to be shown") }
            output.note("waiting in this process, Ctrl-C to stop")
            try await PendingWait(center: center, events: events, reporter: reporter).finish()
        }
    }
}
#endif
