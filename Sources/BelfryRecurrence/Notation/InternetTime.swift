/// Instants as data formats write them: RFC 3339, with which XML's dateTime and gpsd's JSON agree for instants.
package enum InternetTime {
    /// Seconds since 1970 of midnight at UTC; nil if there is no such day in the years 1 to 9999.
    package static func seconds(year: Int, month: Int, day: Int) -> Int? {
        guard (Gregorian.firstYear...Gregorian.lastYear).contains(year), (1...12).contains(month),
            (1...Gregorian.length(ofMonth: month, leap: Gregorian.isLeap(year))).contains(day)
        else { return nil }
        return Gregorian.seconds(ofDay: Gregorian.day(year: year, month: month, day: day))
    }

    /// Seconds since 1970 of `2026-11-21T12:00:03.25+01:00`; nil for any other text. A text without an offset is read
    /// as UTC: XML leaves this open, but writers of tracks mean UTC. The second 60 is the beginning of the next minute.
    package static func seconds(of text: ArraySlice<UInt8>) -> Double? {
        var reader = DigitReader(text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), let midnight = seconds(year: year, month: month, day: day),
            reader.take("T", "t", " "),
            let hour = reader.number(2), hour < 24, reader.take(":"), let minute = reader.number(2), minute < 60,
            reader.take(":"), let second = reader.number(2), second <= 60
        else { return nil }
        var fraction = 0.0
        if reader.take(".", ",") {
            guard let digits = reader.fraction() else { return nil }
            fraction = digits
        }
        guard let offset = reader.isAtEnd ? 0 : reader.offset(), reader.isAtEnd else { return nil }
        return Double(midnight + hour * 3600 + minute * 60 + second - offset) + fraction
    }
}
