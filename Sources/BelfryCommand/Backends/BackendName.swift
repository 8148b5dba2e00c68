import Belfry
import BelfrySchedules
import BelfryTerminal

/// A value of `--backend`.
enum BackendName: Hashable, Sendable {
    case auto, dbus, portal, libnotify, console
    /// The terminal, with the escape sequence to use if the user specifies one.
    case terminal(TerminalSequence? = nil)
    /// A plug-in by its file or its name on the search path, with its settings.
    case plugin(String, settings: [String: String] = [:])

    /// The names without parameters.
    static let words = ["auto", "dbus", "portal", "libnotify", "terminal", "console"]

    /// Throws ``NoticeError`` for an unknown name, with the status of wrong usage.
    init(_ text: String) throws(NoticeError) {
        switch text {
        case "auto": self = .auto
        case "dbus": self = .dbus
        case "portal": self = .portal
        case "libnotify": self = .libnotify
        case "console": self = .console
        case "terminal": self = .terminal()
        case _ where text.hasPrefix(Self.terminalPrefix):
            self = .terminal(try Self.sequence(String(text.dropFirst(Self.terminalPrefix.count))))
        case "plugin", "plugin:":
            throw .unreadable("--backend plugin: lacks the plug-in; write plugin:/path/to/file.so, or plugin:NAME.")
        case _ where text.hasPrefix("plugin:"): self = .plugin(Self.plugin(String(text.dropFirst("plugin:".count))))
        default:
            throw .unreadable(
                "'\(text.clipped)' is no backend; there are \(Self.words.joined(separator: ", ")) and plugin:PATH."
            )
        }
    }

    private static let terminalPrefix = "terminal:"

    private static func sequence(_ text: String) throws(NoticeError) -> TerminalSequence {
        if let sequence = TerminalSequence(rawValue: text) { return sequence }
        let known = TerminalSequence.allCases.map(\.rawValue).joined(separator: ", ")
        throw .unreadable("--backend terminal: '\(text.clipped)' is no protocol of a terminal; there are \(known).")
    }

    /// A path is relative to the working directory; a name is searched for on the search path.
    private static func plugin(_ text: String) -> String { text.contains("/") ? PathText.path(text) : text }
}
