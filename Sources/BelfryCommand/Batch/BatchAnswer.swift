import Belfry
import BelfrySchedules
import Foundation

/// Answers one line of batch mode with one line.
struct BatchAnswer {
    /// Appends the answer and a line feed.
    static func write(to text: inout JSONText, for line: ArraySlice<UInt8>, now: () -> Date) {
        var id = JSONValue.null
        do throws(CommandFailure) {
            let object = try read(line)
            id = object["id"] ?? .null
            let question = try BatchQuestion(object, now: now())
            let rule = try DateRule(question.source)
            if question.normalizes {
                begin(&text, id)
                text.raw("\"normalized\":")
                text.string(rule.normalized ?? "")
                text.raw("}\n")
                return
            }
            let dates = rule.dates(after: question.after, count: question.count)
            begin(&text, id)
            text.raw("\"dates\":[")
            for (index, date) in dates.enumerated() {
                if index > 0 { text.raw(",") }
                text.number(seconds(date))
            }
            text.raw("]}\n")
        } catch {
            write(error, id: id, to: &text)
        }
    }

    static func write(_ failure: CommandFailure, id: JSONValue = .null, to text: inout JSONText) {
        begin(&text, id)
        text.raw("\"error\":")
        text.object([("code", .string(failure.code.rawValue)), ("message", .string(failure.message))])
        text.raw("}\n")
    }

    private static func begin(_ text: inout JSONText, _ id: JSONValue) {
        text.raw("{\"id\":")
        text.value(id)
        text.raw(",")
    }

    private static func read(_ line: ArraySlice<UInt8>) throws(CommandFailure) -> [String: JSONValue] {
        let value: JSONValue
        do throws(JSON5Error) { value = try JSONValue(json: Array(line)) } catch {
            throw CommandFailure(
                .invalidJSON,
                "The line is no JSON: \(error.reason) (column \(error.offset + 1)); write one object per line."
            )
        }
        guard case .object(let object) = value else {
            throw CommandFailure(.invalidJSON, "The line is no JSON object; write one object per line.")
        }
        return object
    }

    /// `Date` counts from 2001 in binary fractions: what is a microsecond or less beside a whole second is that second.
    private static func seconds(_ date: Date) -> Double {
        let seconds = date.timeIntervalSince1970
        return (seconds * 1e6).rounded() / 1e6
    }
}

extension NoticeError.Code {
    /// A text that is no JSON, or JSON of another shape; permanent.
    static let invalidJSON = Self(rawValue: "invalidJSON")
}
