import Belfry
import BelfryConsole
import BelfrySchedules
import FoundationEssentials

/// The mode `belfry next --batch`: reads one question per line and writes one result per line, in order, as a stream.
enum BatchMode {
    /// The maximum length of a line in bytes.
    private static let maximumLength = 16 << 20
    /// The number of bytes at which output is written; it is also written whenever the input pauses.
    private static let flushAt = 1 << 16
    /// From here on, a number that was read may be another one than was written.
    private static let exactNumbers = Double(1 << 53)

    /// Throws ``OutputClosed``, or ``NoticeError`` if reading or writing fails. An invalid line gets an error as its
    /// result and does not end the run.
    static func run() throws {
        var lines = BoundedLines(limit: maximumLength)
        var text = JSONText()
        func flush() throws {
            guard !text.bytes.isEmpty else { return }
            try OpenFile.standardOutput.write(text.bytes)
            text.removeAll()
        }
        func process(_ line: ArraySlice<UInt8>) throws {
            // A blank line gets no result.
            guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
            write(resultFields(to: line))
            if text.bytes.count >= flushAt { try flush() }
        }
        func refuse() {
            let what = "The line is longer than \(maximumLength >> 20) MiB; split the question."
            write([("id", .null), errorField(NoticeError(.invalidJSON, what))])
        }
        func write(_ fields: [(String, JSONValue)]) {
            text.object(fields)
            text.raw("\n")
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if !OpenFile.standardInput.isReadable { try flush() }
            let count = try OpenFile.standardInput.read(into: &buffer)
            guard count > 0 else { break }
            try lines.append(buffer[..<count], overlong: refuse, process)
        }
        try lines.finish(overlong: refuse, process)
        try flush()
    }

    private static func resultFields(to line: ArraySlice<UInt8>) -> [(String, JSONValue)] {
        var id = JSONValue.null
        do throws(NoticeError) {
            let object = try object(line)
            let given = object["id"] ?? .null
            if case .double(let number) = given, number.magnitude >= exactNumbers {
                throw .unreadable("The value of 'id' is too large for a number; write it as a text.")
            }
            id = given
            let question = try BatchQuestion(object, now: Date())
            guard !question.normalizes else { return [("id", id), ("normalized", .string(question.normalized ?? ""))] }
            return [("id", id), ("dates", .array(question.dates().map { .double(seconds($0)) }))]
        } catch {
            return [("id", id), errorField(error)]
        }
    }

    /// Rounds to microseconds: `Date` counts from 2001 in binary fractions, so whole seconds may be slightly off.
    private static func seconds(_ date: Date) -> Double { (date.timeIntervalSince1970 * 1e6).rounded() / 1e6 }

    private static func errorField(_ error: NoticeError) -> (String, JSONValue) {
        ("error", ["code": .string(error.code.rawValue), "message": .string(error.message)])
    }

    private static func object(_ line: ArraySlice<UInt8>) throws(NoticeError) -> [String: JSONValue] {
        let value: JSONValue
        do throws(JSON5Error) { value = try JSONValue(json: Array(line)) } catch {
            throw NoticeError(
                .invalidJSON,
                "The line is no JSON: \(error.reason) (column \(error.offset + 1)); write one object per line."
            )
        }
        guard let object = value.objectValue else {
            throw NoticeError(.invalidJSON, "The line is no JSON object; write one object per line.")
        }
        return object
    }
}

extension NoticeError.Code {
    /// A text that is no JSON, or JSON of an unexpected shape; permanent.
    static let invalidJSON = Self(rawValue: "invalidJSON")
}
