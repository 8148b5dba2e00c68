/// Dates and times as RFC 3339 writes them, `2026-12-24T18:00:30.25`, or without marks as iCalendar does. Their numbers
/// may be out of range: see ``LocalDate/rangeError``.
extension DigitReader {
    /// Reads a date.
    /// - Parameter mark: the character between its numbers; nil for none.
    package mutating func date(_ mark: Unicode.Scalar?) -> LocalDate? {
        guard let year = number(4), skip(mark), let month = number(2), skip(mark), let day = number(2) else {
            return nil
        }
        return LocalDate(year: year, month: month, day: day)
    }

    /// Reads an hour and a minute on a date.
    package mutating func minute(on date: LocalDate, _ mark: Unicode.Scalar?) -> LocalDate? {
        guard let hour = number(2), skip(mark), let minute = number(2) else { return nil }
        return LocalDate(year: date.year, month: date.month, day: date.day, hour: hour, minute: minute)
    }

    /// Reads a second, and returns its fraction separately.
    package mutating func second(of local: LocalDate) -> (local: LocalDate, fraction: Double)? {
        guard let second = number(2), let fraction = take(".", ",") ? fraction() : 0 else { return nil }
        var local = local
        local.second = second
        return (local, fraction)
    }

    private mutating func skip(_ mark: Unicode.Scalar?) -> Bool { mark.map { take($0) } ?? true }
}

extension LocalDate {
    /// Reads a DATE or a DATE-TIME of iCalendar, `20261224` or `20261224T180000`, with or without a Z. The numbers may
    /// be out of range. A leap second is read as the second before it, for clocks without leap seconds (RFC 5545,
    /// 3.3.12).
    package init?(calendarText text: some StringProtocol) {
        var reader = DigitReader(Array(text.utf8)[...])
        guard var local = reader.date(nil) else { return nil }
        if !reader.isAtEnd {
            guard reader.take("T", "t", " "), let minute = reader.minute(on: local, nil),
                let second = reader.number(2), reader.isAtEnd || reader.take("Z") && reader.isAtEnd
            else { return nil }
            local = minute
            local.second = second == 60 ? 59 : second
        }
        self = local
    }
}
