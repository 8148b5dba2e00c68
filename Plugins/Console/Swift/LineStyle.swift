import FoundationEssentials

/// Color, where there is a terminal and nobody has asked for none.
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

    /// https://no-color.org: set to anything but nothing.
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
    /// Without anything that a terminal would obey, on one line.
    package var oneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isHarmless ? $0 : $0.isBlank ? " " : "\u{FFFD}" }))
    }

    /// Without anything that a terminal would obey, line by line.
    package var safeLines: [String] {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).oneLine }
    }
}

extension Unicode.Scalar {
    /// No control character (C0, DEL, C1: some terminals obey U+009B as they do ESC [), no separator of lines, and
    /// nothing that turns the direction of the text around it.
    fileprivate var isHarmless: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    fileprivate var isBlank: Bool { self == "\n" || self == "\t" || self == "\r" }
}
