import ArgumentParser

/// The options for the output of a command.
struct OutputOptions: ParsableArguments {
    @Flag(help: "For programs: one JSON object per line, errors too.")
    var json = false

    @Flag(help: "Results and errors only, no remarks.")
    var quiet = false

    var output: CommandOutput { CommandOutput(json: json, quiet: quiet) }
}
