#if CommandLine
import ArgumentParser
import Belfry
import BelfrySchedules

/// The options for the settings of a plug-in.
struct PluginSettings: ParsableArguments {
    @Option(
        name: .customLong("backend-option"),
        parsing: .unconditionalSingleValue,
        help: .init("A setting of the plug-in; repeatable.", valueName: "key=value")
    )
    var settings: [String] = []

    /// The settings as command-line arguments, for another process.
    var arguments: [String] { settings.flatMap { ["--backend-option", $0] } }

    /// Returns the settings by name.
    func read() throws(NoticeError) -> [String: String] {
        var read: [String: String] = [:]
        for text in settings {
            let (key, value) = text.halves(at: "=")
            guard let value, !key.isEmpty else {
                throw .unreadable("--backend-option: '\(text.clipped)' can't be read; write it as KEY=VALUE.")
            }
            guard read.updateValue(String(value), forKey: String(key)) == nil else {
                throw .unreadable("--backend-option: '\(key.clipped)' is given twice; give it once.")
            }
        }
        return read
    }
}
#endif
