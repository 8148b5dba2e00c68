/// How a terminal is told to show a notice. Terminals differ in which of them they know.
public enum TerminalSequence: String, Sendable, Hashable, CaseIterable {
    /// kitty's desktop notifications, which have buttons and reports where the terminal says so
    /// (https://sw.kovidgoyal.net/kitty/desktop-notifications/).
    case osc99
    /// `notify;title;body`, from an extension of rxvt-unicode.
    case osc777
    /// One text, from iTerm2 (https://iterm2.com/documentation-escape-codes.html).
    case osc9

    /// As documentation writes it.
    var title: String {
        switch self {
        case .osc99: "OSC 99"
        case .osc777: "OSC 777"
        case .osc9: "OSC 9"
        }
    }
}
