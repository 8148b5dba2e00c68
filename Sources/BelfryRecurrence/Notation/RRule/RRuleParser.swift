/// Reads the lines of a recurrence.
struct RRuleParser {
    private(set) var result = RRule()
    private static let notation = "rrule"

    /// The maximum number of dates in `RDATE` and `EXDATE` together.
    private static let maximumDateCount = 10_000

    mutating func read(_ text: String) throws(RecurrenceError) {
        // Checks the length before any work on the text.
        _ = try NotationReader(text, notation: Self.notation)
        let lines = FoldedLines.unfold(Array(text.utf8)[...]).map(\.text)
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
                kind = reader.string(reader.skip(while: { $0.isLetter || $0 == UInt8(ascii: "-") })).uppercased()
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
        let range = reader.skip(while: { $0.isDigit })
        let date = reader.string(range).utf8.map { Int($0) - 48 }
        guard date.count == 8 else {
            throw reader.error("a date such as 20261231 or 20261231T090000 is expected", at: start)
        }
        let year = date[0] * 1000 + date[1] * 100 + date[2] * 10 + date[3]
        let month = date[4] * 10 + date[5]
        let day = date[6] * 10 + date[7]
        guard let midnight = InternetTime.seconds(year: year, month: month, day: day) else {
            throw reader.error("there is no date \(reader.string(range))", at: start)
        }
        local = Int64(midnight)
        isDate = true
        clock = .local
        guard reader.skip("T") else { return }
        let timeStart = reader.position
        let timeRange = reader.skip(while: { $0.isDigit })
        let time = reader.string(timeRange).utf8.map { Int($0) - 48 }
        guard time.count == 6, time[0] * 10 + time[1] < 24, time[2] < 6, time[4] * 10 + time[5] <= 60 else {
            throw reader.error("a time from 000000 to 235959 is expected", at: timeStart)
        }
        // A leap second is read as the second before it, for clocks without leap seconds (RFC 5545, 3.3.12).
        let second = min(time[4] * 10 + time[5], 59)
        local += Int64((time[0] * 10 + time[1]) * 3600 + (time[2] * 10 + time[3]) * 60 + second)
        isDate = false
        if reader.skip("Z") { clock = .utc }
    }
}
