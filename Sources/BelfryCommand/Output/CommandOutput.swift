public import Belfry
import BelfryConsole

/// Everything that a command prints: results to standard output, errors and notes to standard error.
///
/// Texts may come from anywhere: an app, a server, a plug-in. They are made printable here, so that no terminal obeys
/// them.
struct CommandOutput: Sendable {
    /// The fields of an object, in their order; those that are nil are left out.
    typealias Fields = KeyValuePairs<String, (any JSONConvertible)?>

    /// For programs: one JSON object per line, no notes.
    let json: Bool
    /// Results and errors only.
    let quiet: Bool
    private let results: OpenFile
    private let notes: OpenFile
    private let style: LineStyle

    init(
        json: Bool,
        quiet: Bool = false,
        results: OpenFile = .standardOutput,
        notes: OpenFile = .standardError
    ) {
        self.json = json
        self.quiet = quiet
        self.results = results
        self.notes = notes
        style = LineStyle(onTerminal: results.isTerminal)
    }

    /// A result: an object for programs, a line for eyes.
    func result(_ fields: Fields, _ line: String, _ emphasis: LineStyle.Emphasis = .plain) throws {
        try object(fields)
        try self.line(line, emphasis)
    }

    /// A result for eyes; where programs read, nothing.
    func line(_ text: String, _ emphasis: LineStyle.Emphasis = .plain) throws {
        guard !json else { return }
        try results.write(style.paint(text.printable, emphasis) + "\n")
    }

    /// A result for programs; where eyes read, nothing.
    ///
    /// - Parameter more: Fields behind the others, by their names.
    func object(_ fields: Fields, more: [String: JSONValue] = [:]) throws {
        guard json else { return }
        try results.write(Self.line(fields, more))
    }

    private static func line(_ fields: Fields, _ more: [String: JSONValue] = [:]) -> [UInt8] {
        var text = JSONText()
        text.object(
            fields.compactMap { name, value in value.map { (name, $0.json) } }
                + more.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
        text.raw("\n")
        return text.bytes
    }

    /// A result that is the same for eyes and programs, such as an id that was asked for.
    func plain(_ text: String) throws { try results.write(text.printable + "\n") }

    /// A result that has its own line ends, such as a file.
    func raw(_ text: String) throws { try results.write(text) }

    /// A note on what is going on. Nobody has to read it, so that a closed standard error is no error.
    func note(_ text: String) {
        guard !json, !quiet else { return }
        try? notes.write("belfry: \(text.printable)\n")
    }

    /// Why it could not be done, and where more is said about it.
    func report(_ error: NoticeError, about article: Article? = nil) {
        guard json else {
            let more = article.map { quiet ? "" : "belfry: more in \($0.path)\n" } ?? ""
            try? OpenFile.standardError.write("belfry: \(error.description.printable)\n" + more)
            return
        }
        var fields = ["code": JSONValue.string(error.code.rawValue), "message": .string(error.description)]
        fields["article"] = article.map { .string($0.path) }
        try? OpenFile.standardError.write(Self.line(["error": JSONValue.object(fields)]))
    }
}

/// What a field of a result may be.
protocol JSONConvertible {
    var json: JSONValue { get }
}

extension JSONValue: JSONConvertible {
    var json: JSONValue { self }
}

extension String: JSONConvertible {
    var json: JSONValue { .string(self) }
}

extension Int: JSONConvertible {
    var json: JSONValue { .int(Int64(self)) }
}

extension Double: JSONConvertible {
    var json: JSONValue { .double(self) }
}

extension Bool: JSONConvertible {
    var json: JSONValue { .bool(self) }
}

extension [String]: JSONConvertible {
    var json: JSONValue { .array(map { .string($0) }) }
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

    /// Filled with blanks, or cut, to a width.
    func column(_ width: Int) -> String {
        let text = prefix(width)
        return text + String(repeating: " ", count: width - text.count)
    }
}
