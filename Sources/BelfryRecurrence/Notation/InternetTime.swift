/// Instants as data formats write them (RFC 3339, which XML's dateTime and gpsd's JSON agree with as far as they name one).
package enum InternetTime {
    /// Seconds since 1970 of midnight at UTC; nil where there is no such day in the years 1 to 9999.
    package static func seconds(year: Int, month: Int, day: Int) -> Int? {
        guard (Gregorian.firstYear...Gregorian.lastYear).contains(year), (1...12).contains(month),
            (1...Gregorian.length(ofMonth: month, leap: Gregorian.isLeap(year))).contains(day)
        else { return nil }
        return Gregorian.seconds(ofDay: Gregorian.day(year: year, month: month, day: day))
    }

    /// Seconds since 1970 of `2026-11-21T12:00:03.25+01:00`; nil for any other text. Without an offset it is UTC, which XML
    /// leaves open and whoever writes tracks means. The second 60 is the beginning of the next minute.
    package static func seconds(of text: ArraySlice<UInt8>) -> Double? {
        var reader = Reader(rest: text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), let midnight = seconds(year: year, month: month, day: day),
            reader.take("T") || reader.take("t") || reader.take(" "),
            let hour = reader.number(2), hour < 24, reader.take(":"), let minute = reader.number(2), minute < 60,
            reader.take(":"), let second = reader.number(2), second <= 60
        else { return nil }
        var fraction = 0.0
        if reader.take(".") || reader.take(",") {
            guard let digits = reader.fraction() else { return nil }
            fraction = digits
        }
        guard let offset = reader.offset(), reader.rest.isEmpty else { return nil }
        return Double(midnight + hour * 3600 + minute * 60 + second - offset) + fraction
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// Of exactly so many digits.
        mutating func number(_ count: Int) -> Int? {
            var number = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        mutating func digit() -> Int? {
            guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            rest = rest.dropFirst()
            return Int(byte - UInt8(ascii: "0"))
        }

        /// What is finer than a nanosecond is read and counts nothing.
        mutating func fraction() -> Double? {
            guard let first = digit() else { return nil }
            var nanoseconds = first * 100_000_000
            var unit = 10_000_000
            while let digit = digit() {
                nanoseconds += digit * unit
                unit /= 10
            }
            return Double(nanoseconds) / 1e9
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int? {
            if rest.isEmpty || take("Z") || take("z") { return 0 }
            let isWest = rest.first == UInt8(ascii: "-")
            guard take("+") || take("-"), let hours = number(2), hours < 24 else { return nil }
            _ = take(":")
            guard let minutes = number(2), minutes < 60 else { return nil }
            let seconds = hours * 3600 + minutes * 60
            return isWest ? -seconds : seconds
        }
    }
}
