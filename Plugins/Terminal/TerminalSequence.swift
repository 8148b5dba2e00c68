/// The commands by which terminals show notices. Terminals differ in which they support.
///
/// ```swift
/// // A terminal that Belfry doesn't know, of which the user knows that it supports OSC 777.
/// let center = NoticeCenter(app: app, backend: TerminalBackend(sequence: .osc777))
/// ```
public enum TerminalSequence: String, Sendable, Hashable, CaseIterable {
    /// kitty's desktop notifications, with buttons and reports if the terminal announces them
    /// (https://sw.kovidgoyal.net/kitty/desktop-notifications/).
    case osc99
    /// `notify;title;body`, from an extension of rxvt-unicode.
    case osc777
    /// A single text, from iTerm2 (https://iterm2.com/documentation-escape-codes.html).
    case osc9

    /// The name in documentation.
    var title: String {
        switch self {
        case .osc99: "OSC 99"
        case .osc777: "OSC 777"
        case .osc9: "OSC 9"
        }
    }
}
