import Belfry
import BelfrySchedules
import BelfryTerminal

/// What may stand after `--backend`.
enum BackendName: Hashable, Sendable {
    case auto, dbus, portal, libnotify, console
    /// And how the terminal is told, where the user knows better.
    case terminal(TerminalSequence? = nil)
    /// A plug-in's file, or its name on the search path, and what it is configured by.
    case plugin(String, settings: [String: String] = [:])

    /// The ones that are complete by their name.
    static let words = ["auto", "dbus", "portal", "libnotify", "terminal", "console"]

    /// Throws ``NoticeError``: wrong usage for a name that there is not.
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
        throw .unreadable("--backend terminal: '\(text.clipped)' is no way to tell a terminal; there are \(known).")
    }

    /// A path is one of this command's arguments, a name is the search path's.
    private static func plugin(_ text: String) -> String { text.contains("/") ? PathText.path(text) : text }
}
