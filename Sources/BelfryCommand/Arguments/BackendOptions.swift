#if CommandLine
import ArgumentParser
import Belfry
import BelfrySchedules

/// The options for the backend.
struct BackendOptions: ParsableArguments {
    @Option(
        help: .init(
            "auto, dbus, portal, libnotify, terminal, console or plugin:PATH; auto takes the desktop where there is "
                + "one, else a terminal that shows notices, else the console."
        ),
        completion: .list(BackendName.words + ["plugin:"])
    )
    var backend = "auto"

    @OptionGroup
    var plugin: PluginSettings

    func name() throws(NoticeError) -> BackendName {
        let name = try BackendName(backend)
        guard case .plugin(let path, _) = name else {
            guard let first = plugin.settings.first else { return name }
            throw .usage(
                "--backend-option '\(first.clipped)' belongs to a plug-in, and '\(backend.clipped)' is none; "
                    + "write --backend plugin:PATH."
            )
        }
        return .plugin(path, settings: try plugin.read())
    }
}
#endif
