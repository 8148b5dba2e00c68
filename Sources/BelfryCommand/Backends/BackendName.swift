import Belfry

/// What may stand after `--backend`.
enum BackendName: Hashable, Sendable {
    case auto, libnotify, console

    /// Throws ``CommandFailure``: wrong usage for a name that there is not, `unsupported` for one that is to come.
    init(_ text: String) throws(CommandFailure) {
        switch text {
        case "auto": self = .auto
        case "libnotify": self = .libnotify
        case "console": self = .console
        case "dbus":
            throw CommandFailure(.unsupported, "--backend dbus is not in this version; use --backend libnotify.")
        case _ where text.hasPrefix("plugin:"):
            throw CommandFailure(
                .unsupported,
                "--backend \(text.clipped): this version loads no plug-in files; use --backend libnotify or console."
            )
        default:
            throw .unreadable("'\(text.clipped)' is no backend; there are auto, libnotify and console.")
        }
    }
}
