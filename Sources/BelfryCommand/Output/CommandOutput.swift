public import Belfry
import BelfryConsole

/// The output of a command: results go to standard output, errors and notes to standard error.
///
/// Texts may come from any app, server or plug-in. Characters that a terminal interprets are replaced here.
struct CommandOutput: Sendable {
    /// The fields of an object, in order; nil fields are omitted.
    typealias Fields = KeyValuePairs<String, (any JSONConvertible)?>

    /// Whether the output is for programs: one JSON object per line, warnings but no notes.
    let json: Bool
    /// Whether notes are omitted.
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

    /// Writes a result: an object in JSON mode, otherwise a line.
    func result(_ fields: Fields, _ line: String, _ emphasis: LineStyle.Emphasis = .plain) throws {
        try object(fields)
        try self.line(line, emphasis)
    }

    /// Writes a line for the user; nothing in JSON mode.
    func line(_ text: String, _ emphasis: LineStyle.Emphasis = .plain) throws {
        guard !json else { return }
        try results.write(style.paint(text.oneLine, emphasis) + "\n")
    }

    /// Writes an object in JSON mode; otherwise nothing.
    ///
    /// - Parameter more: Additional fields, appended in the order of their names.
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

    /// Writes a result that is the same in both modes, such as a requested id.
    func plain(_ text: String) throws { try results.write(text.oneLine + "\n") }

    /// Writes a result to another descriptor, if one is given.
    func plain(_ text: String, to descriptor: Int32?) throws {
        guard let descriptor, descriptor >= 0 else { return }
        do { try OpenFile(descriptor: descriptor).write(text.oneLine + "\n") } catch is OutputClosed {
            // The reader has closed its end; the notice is shown anyway.
        }
    }

    /// Writes a result with its own line ends, such as a file.
    func raw(_ text: String) throws { try results.write(text) }

    /// Writes a note. Notes are optional, so a closed standard error is ignored.
    func note(_ text: String) {
        guard !json, !quiet else { return }
        try? notes.write("belfry: \(text.oneLine)\n")
    }

    /// Writes a note about something that the results don't show. In JSON mode it is an object.
    func warn(_ text: String) {
        guard json else { return note(text) }
        if !quiet { try? notes.write(Self.line(["warning": text])) }
    }

    /// Reports an error and the article about it.
    func report(_ error: NoticeError, about article: Article? = nil) {
        guard json else {
            let more = article.map { quiet ? "" : "belfry: more in \($0.path)\n" } ?? ""
            // A syntax error has its line of the file below it.
            let lines = error.description.safeLines.joined(separator: "\n")
            try? notes.write("belfry: \(lines)\n" + more)
            return
        }
        var fields = error.fields
        fields["article"] = article.map { .string($0.path) }
        try? notes.write(Self.line(["error": JSONValue.object(fields)]))
    }
}

extension NoticeError: JSONConvertible {
    var json: JSONValue { .object(fields) }

    fileprivate var fields: [String: JSONValue] {
        ["code": .string(code.rawValue), "message": .string(description)]
    }
}

/// A value of a field of a result.
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

extension Duration: JSONConvertible {
    /// Seconds, to the millisecond.
    var json: JSONValue { .double((seconds * 1000).rounded() / 1000) }
}

extension Bool: JSONConvertible {
    var json: JSONValue { .bool(self) }
}

extension [String]: JSONConvertible {
    var json: JSONValue { .array(map { .string($0) }) }
}

extension String {
    /// Returns the text padded with spaces or cut to a width.
    func column(_ width: Int) -> String {
        let text = prefix(width)
        return text + String(repeating: " ", count: width - text.count)
    }
}
