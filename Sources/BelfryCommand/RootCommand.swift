#if CommandLine
import ArgumentParser
import Belfry

/// The command `belfry`.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "belfry",
        abstract: "Show notices on this desktop: now, later, or repeatedly.",
        usage: """
            belfry send <title> [<body>] [<options>]
            belfry done [<options>] -- <command> ...
            belfry add <title> [<body>] --id <id> [<trigger>] [<options>]
            belfry list | history | preview
            belfry remove <id> ... | --all
            belfry import <file>
            belfry <subcommand> [<options>]
            """,
        discussion: """
            Dates are read as RFC 3339 (2026-12-24T18:00:00+01:00), as local ('2026-12-24 18:00'), or as @ and seconds \
            since 1970; durations as 90s, 5m, 1h30m, 2d. Exit status: 0 done, 1 it could not be done, 64 wrong usage, \
            130 interrupted.

            Completions: belfry --generate-completion-script bash|zsh|fish
            """,
        version: Release.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Notice",
                subcommands: [
                    SendCommand.self, DoneCommand.self, AddCommand.self, SeriesCommand.self, ListCommand.self,
                    RemoveCommand.self, HistoryCommand.self, QuietHoursCommand.self,
                ]
            ),
            CommandGroup(
                name: "Schedule",
                subcommands: [ImportCommand.self, PreviewCommand.self, NextCommand.self, RunCommand.self]
            ),
            CommandGroup(
                name: "Desktop",
                subcommands: [
                    DoctorCommand.self, DemoCommand.self, AgentCommand.self, AppCommand.self, AppsCommand.self,
                    PluginCommand.self,
                ]
            ),
        ]
    )
}
#endif
