import ArgumentParser
import Belfry

/// Where notices are shown, and where requests are kept.
struct BackendOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "auto, dbus, portal, libnotify, console or plugin:PATH; auto takes the desktop where there is one, else the console.",
            valueName: "backend"
        )
    )
    var backend = "auto"

    @Option(help: ArgumentHelp("A store of your own (not in this version).", valueName: "path"))
    var store: String?

    func name() throws(CommandFailure) -> BackendName {
        if let store {
            throw CommandFailure(
                .unsupported,
                "--store \(store.clipped): this version keeps requests in memory only; leave it out."
            )
        }
        return try BackendName(backend)
    }
}
