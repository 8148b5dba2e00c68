import Belfry
import BelfryConsole
import Foundation

/// Everything that a command says: results to standard output, complaints and remarks to standard error.
///
/// Texts may come from anywhere: an app, a server, a plug-in. They are made printable here, so that no terminal obeys them.
struct CommandOutput: Sendable {
    /// For programs: one JSON object per line, no remarks.
    let json: Bool
    /// Results and errors only.
    let quiet: Bool
    private let results: FileOutput
    private let remarks: FileOutput
    private let style: LineStyle

    init(json: Bool, quiet: Bool, results: FileOutput = .standard, remarks: FileOutput = .complaints) {
        self.json = json
        self.quiet = quiet
        self.results = results
        self.remarks = remarks
        style = LineStyle(onTerminal: results.isTerminal)
    }

    /// A result for eyes; where programs read, nothing.
    func line(_ text: String, _ emphasis: LineStyle.Emphasis = .plain) throws {
        guard !json else { return }
        try results.write(style.paint(text.printable, emphasis) + "\n")
    }

    /// A result for programs; where eyes read, nothing.
    func object(_ fields: [(String, JSONValue?)]) throws {
        guard json else { return }
        var text = JSONText()
        text.object(fields.compactMap { name, value in value.map { (name, $0) } })
        text.raw("\n")
        try results.write(text.bytes)
    }

    /// A result that is the same for eyes and programs, such as an id that was asked for.
    func plain(_ text: String) throws {
        try results.write(text.printable + "\n")
    }

    /// A result that has its own line ends, such as a file.
    func raw(_ text: String) throws {
        try results.write(text)
    }

    /// A remark on what is going on. Nobody has to read it, so that a closed standard error is no failure.
    func remark(_ text: String) {
        guard !json, !quiet else { return }
        try? remarks.write("belfry: \(text.printable)\n")
    }

    /// Why it could not be done.
    static func complain(_ failure: CommandFailure, json: Bool) {
        guard json else {
            try? FileOutput.complaints.write("belfry: \(failure.message.printable)\n")
            return
        }
        var text = JSONText()
        text.object([
            ("error", ["code": .string(failure.code.rawValue), "message": .string(failure.message)])
        ])
        text.raw("\n")
        try? FileOutput.complaints.write(text.bytes)
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
