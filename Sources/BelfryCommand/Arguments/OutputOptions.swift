#if CommandLine
import ArgumentParser

/// The options for the output of a command.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON for programs: one object per line, errors too.")
    var json = false

    @Flag(help: "Print results and errors only.")
    var quiet = false

    var writer: CommandOutput { CommandOutput(json: json, quiet: quiet) }
}
#endif
