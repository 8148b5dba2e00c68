import ArgumentParser
import Belfry

/// Where notices are shown.
struct BackendOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "auto, dbus, portal, libnotify, console or plugin:PATH; auto takes the desktop where there is one, else the console.",
            valueName: "backend"
        )
    )
    var backend = "auto"

    func name() throws(CommandFailure) -> BackendName { try BackendName(backend) }
}
