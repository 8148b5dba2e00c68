/// Reads the lines of a recurrence.
struct RRuleParser {
    private(set) var result = RRule()
    private static let notation = "rrule"

    /// The maximum number of dates in `RDATE` and `EXDATE` together.
    private static let maximumDateCount = 10_000

    mutating func read(_ text: String) throws(RecurrenceError) {
        // Checks the length before any work on the text.
        _ = try NotationReader(text, notation: Self.notation)
        let lines = FoldedLines.unfold(Array(text.utf8)[...]).map { String(decoding: $0.text, as: UTF8.self) }
        if lines.isEmpty {
            throw try NotationReader("", notation: Self.notation).error("the rule is empty; give at least FREQ")
        }
        for (number, line) in lines.enumerated() {
            do {
                try readLine(line)
            } catch {
                if lines.count == 1 { throw error }
                throw RecurrenceError(
                    code: error.code,
                    message: error.message + " in line \(number + 1)",
                    column: error.column
                )
            }
        }
        if result.rules.isEmpty, result.additions.isEmpty {
            throw try NotationReader("", notation: Self.notation).error("there is no RRULE and no RDATE")
        }
    }

    private mutating func readLine(_ line: String) throws(RecurrenceError) {
        var reader = try NotationReader(line, notation: Self.notation)
        if reader.skip("DTSTART") {
            if result.start != nil { throw reader.error("DTSTART is given twice", at: 0) }
            let values = try readDates(&reader)
            if values.count != 1 { throw reader.error("DTSTART takes one date") }
            result.start = values[0]
        } else if reader.skip("RDATE") {
            result.additions += try readDates(&reader)
        } else if reader.skip("EXDATE") {
            result.exceptions += try readDates(&reader)
        } else if reader.skip("EXRULE") {
            throw reader.error("EXRULE is no longer part of iCalendar; use EXDATE", at: 0)
        } else {
            _ = reader.skip("RRULE:")
            let parts = RRulePartsParser(reader: reader)
            result.rules.append(try parts.read())
        }
        if result.additions.count + result.exceptions.count > Self.maximumDateCount || result.rules.count > 100 {
            throw reader.error(
                "more than \(Self.maximumDateCount) dates or 100 rules are too many",
                at: 0,
                code: .limitExceeded
            )
        }
    }

    /// Reads the parameters and the dates after the name of a property.
    private func readDates(_ reader: inout NotationReader) throws(RecurrenceError) -> [RRule.DateValue] {
        var zone: String?
        var kind = "DATE-TIME"
        while reader.skip(";") {
            if reader.skip("TZID=") {
                let name: String
                if reader.skip("\"") {
                    name = reader.string(reader.skip(while: { $0 != UInt8(ascii: "\"") }))
                    guard reader.skip("\"") else { throw reader.unexpected("'\"'") }
                } else {
                    name = reader.string(reader.skip(while: { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }))
                }
                if name.isEmpty { throw reader.unexpected("the name of a zone") }
                zone = name
            } else if reader.skip("VALUE=") {
                let start = reader.position
                kind = reader.word()
                if !["DATE", "DATE-TIME", "PERIOD"].contains(kind) {
                    throw reader.error("VALUE is DATE, DATE-TIME or PERIOD, not '\(kind.prefix(40))'", at: start)
                }
            } else {
                throw reader.unexpected("TZID or VALUE")
            }
        }
        guard reader.skip(":") else { throw reader.unexpected("':'") }
        var values: [RRule.DateValue] = []
        repeat {
            let start = reader.position
            var value = try RRule.DateValue(reading: &reader)
            if kind == "DATE", !value.isDate { throw reader.error("a date without a time is expected", at: start) }
            if kind == "PERIOD", reader.skip("/") {
                _ = reader.skip(while: { $0 != UInt8(ascii: ",") })
            }
            if let zone, value.clock == .local { value.clock = .zone(zone) }
            values.append(value)
            if values.count > Self.maximumDateCount {
                throw reader.error("more than \(Self.maximumDateCount) dates are too many", code: .limitExceeded)
            }
        } while reader.skip(",")
        if !reader.isAtEnd { throw reader.unexpected("',' or the end") }
        return values
    }
}

extension RRule.DateValue {
    /// Reads `19970902`, `19970902T090000` or `19970902T090000Z`.
    init(reading reader: inout NotationReader) throws(RecurrenceError) {
        let start = reader.position
        let day = reader.string(reader.skip(while: { $0.isDigit }))
        guard var date = LocalDate(calendarText: day) else {
            throw reader.error("a date such as 20261231 or 20261231T090000 is expected", at: start)
        }
        guard date.rangeError == nil else { throw reader.error("there is no date \(day)", at: start) }
        isDate = !reader.skip("T")
        if !isDate {
            let timeStart = reader.position
            _ = reader.skip(while: { $0.isDigit })
            guard let whole = LocalDate(calendarText: reader.string(start..<reader.position)), whole.rangeError == nil
            else {
                throw reader.error("a time from 000000 to 235959 is expected", at: timeStart)
            }
            date = whole
        }
        local = date.secondsAtUTC
        clock = !isDate && reader.skip("Z") ? .utc : .local
    }
}
