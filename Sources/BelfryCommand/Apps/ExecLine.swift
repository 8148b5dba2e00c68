import FoundationEssentials

/// A command line in the form of the Desktop Entry Specification ("The Exec key").
struct ExecLine: Sendable {
    /// The name or the path of the program, without its quotes.
    let program: String
    /// What follows the program, as it is written.
    let arguments: String

    init(_ text: String) {
        let isQuoted = text.hasPrefix("\"")
        let text = isQuoted ? text.dropFirst() : text[...]
        let end = text.firstIndex(of: isQuoted ? "\"" : " ") ?? text.endIndex
        program = String(text[..<end])
        arguments = String(isQuoted ? text[end...].dropFirst() : text[end...])
    }

    /// Returns the absolute path of the program; nil if there is no such executable. A name is searched in PATH.
    func file(in environment: [String: String]) -> String? {
        guard !program.isEmpty else { return nil }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let files = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
        // A relative path is refused: a desktop chooses the working directory itself.
        return files.first { $0.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: $0) }
    }
}
