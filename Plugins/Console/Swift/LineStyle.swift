import Belfry
import FoundationEssentials

/// Colors for a terminal, unless the user disabled them.
package struct LineStyle: Sendable {
    package enum Emphasis: String, Sendable {
        case plain = ""
        case strong = "1"
        case alarm = "1;31"
        case faint = "2"
        case key = "36"
        case good = "32"
        case bad = "31"
        case warning = "33"
    }

    private let isColored: Bool

    package init(onTerminal isTerminal: Bool) { isColored = isTerminal && Self.wantsColor }

    /// https://no-color.org: any value but an empty one disables color.
    static var wantsColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        return (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    package func paint(_ text: String, _ emphasis: Emphasis) -> String {
        guard isColored, emphasis != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
    }
}

extension String {
    /// The text on one line, without characters that a terminal interprets.
    package var oneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isHarmless ? $0 : $0.isBlank ? " " : "\u{FFFD}" }))
    }

    /// The lines of the text, without characters that a terminal interprets.
    package var safeLines: [String] {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).oneLine }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is no control character (C0, DEL, C1: some terminals treat U+009B like ESC [), line
    /// separator, or character that changes the direction of the surrounding text.
    fileprivate var isHarmless: Bool {
        switch value {
        case 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: false
        default: !isControl
        }
    }

    fileprivate var isBlank: Bool { self == "\n" || self == "\t" || self == "\r" }
}
