import ArgumentParser
import Belfry

/// `belfry` itself.
struct RootCommand: AsyncParsableCommand {
    static let version = Release.version

    static let configuration = CommandConfiguration(
        commandName: "belfry",
        abstract: "Notices on this desktop: now, at a time, again and again.",
        discussion: """
            Dates are read as RFC 3339 (2026-12-24T18:00:00+01:00), as local ('2026-12-24 18:00'), or as @ and seconds \
            since 1970; durations as 90s, 5m, 1h30m, 2d. Exit status: 0 done, 1 it could not be done, 64 wrong usage, \
            130 interrupted.

            Completions: belfry --generate-completion-script bash|zsh|fish
            """,
        version: version,
        subcommands: [
            SendCommand.self, AddCommand.self, SeriesCommand.self, ImportCommand.self, PreviewCommand.self,
            NextCommand.self, RunCommand.self, ListCommand.self, RemoveCommand.self, HistoryCommand.self,
            QuietHoursCommand.self,
            AgentCommand.self, AppsCommand.self, PluginCommand.self, DoctorCommand.self, DemoCommand.self,
        ]
    )
}
