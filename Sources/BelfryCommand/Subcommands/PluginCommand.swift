#if CommandLine
import ArgumentParser
import Belfry

/// The command for authors of plug-ins.
struct PluginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin",
        abstract: "Check a delivery plug-in.",
        subcommands: [Check.self, PluginChildCommand.self]
    )

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Load a plug-in and check it against the rules of every backend.",
            discussion: """
                The check shows notices through the plug-in and withdraws them. It loads the plug-in in a child \
                process: if that crashes or hangs, the report names the rule that was being checked. The status is 1 \
                if a rule is broken. What the plug-in prints goes to standard error.

                belfry plugin check ./mine.so
                """
        )

        @Argument(
            help: .init("The plug-in's file, or its name in the search path.", valueName: "file"),
            completion: .plugins
        )
        var file: String

        @OptionGroup
        var settings: PluginSettings

        @OptionGroup
        var output: OutputOptions

        func run() async throws {
            _ = try settings.read()
            let child = PluginChild(
                arguments: ["--check"] + settings.arguments + ["--", file],
                timeout: .seconds(600),
                isHeard: true
            )
            let (messages, end) = try await child.run()
            try Task.checkCancellation()
            let report = try PluginCheckReport(messages, end, file: file)
            try report.write(to: output.writer)
        }
    }
}
#endif
