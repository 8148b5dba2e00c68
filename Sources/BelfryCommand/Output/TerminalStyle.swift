import Foundation

/// Colour, where a person sees it: on a terminal that can, and where NO_COLOR (no-color.org) is not set.
struct TerminalStyle: Sendable {
    enum Emphasis: String, Sendable {
        case plain = ""
        case strong = "1"
        case faint = "2"
        case good = "32"
        case bad = "31"
        case warning = "33"
    }

    let isColoured: Bool

    init(for output: FileOutput, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let refused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        isColoured = output.isTerminal && !refused
    }

    func paint(_ text: String, _ emphasis: Emphasis) -> String {
        guard isColoured, emphasis != .plain else { return text }
        return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
    }
}

extension String {
    /// Without control characters, which a terminal would obey.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
            )
        )
    }
}
