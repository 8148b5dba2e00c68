import ArgumentParser
import BelfrySchedules

/// The settings of a plug-in, as the command line has them.
struct PluginSettings: ParsableArguments {
    @Option(
        name: .customLong("backend-option"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A setting of the plug-in, by its own name; may be given several times.",
            valueName: "key=value"
        )
    )
    var settings: [String] = []

    /// As they were typed, for another process.
    var arguments: [String] { settings.flatMap { ["--backend-option", $0] } }

    /// By name. Throws ``CommandFailure``: wrong usage for what can't be read.
    func read() throws(CommandFailure) -> [String: String] {
        var read: [String: String] = [:]
        for text in settings {
            let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, !sides[0].isEmpty else {
                throw .unreadable("--backend-option: '\(text.clipped)' can't be read; write it as KEY=VALUE.")
            }
            guard read.updateValue(sides[1], forKey: sides[0]) == nil else {
                throw .unreadable("--backend-option: '\(sides[0].clipped)' is given twice; give it once.")
            }
        }
        return read
    }
}
