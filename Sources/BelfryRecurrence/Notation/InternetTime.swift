/// Instants as data formats write them: RFC 3339, with which XML's dateTime and gpsd's JSON agree for instants.
package enum InternetTime {
    /// Seconds since 1970 of midnight at UTC; nil if there is no such day in the years 1 to 9999.
    package static func seconds(year: Int, month: Int, day: Int) -> Int? {
        let date = LocalDate(year: year, month: month, day: day)
        return date.rangeError == nil ? Int(date.secondsAtUTC) : nil
    }

    /// Seconds since 1970 of `2026-11-21T12:00:03.25+01:00`; nil for any other text. A text without an offset is read
    /// as UTC: XML leaves this open, but writers of tracks mean UTC. The second 60 is the beginning of the next minute.
    package static func seconds(of text: ArraySlice<UInt8>) -> Double? {
        var reader = DigitReader(text)
        guard let date = reader.date("-"), reader.take("T", "t", " "),
            let minute = reader.minute(on: date, ":"), reader.take(":"),
            let (time, fraction) = reader.second(of: minute), time.second <= 60,
            let offset = reader.isAtEnd ? 0 : reader.offset(), reader.isAtEnd
        else { return nil }
        let leapSecond = time.second == 60 ? 1 : 0
        var local = time
        local.second -= leapSecond
        guard local.rangeError == nil else { return nil }
        return Double(Int(local.secondsAtUTC) + leapSecond - offset) + fraction
    }
}
