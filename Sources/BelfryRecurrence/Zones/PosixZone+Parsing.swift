extension PosixZone {
    /// Parses a POSIX `TZ` string. A daylight name without a rule gets the rule of the United States since 2007, as in
    /// glibc.
    /// - Returns: `nil` if the text isn't a valid string.
    init?(parsing text: some StringProtocol) {
        var reader = DigitReader(Array(text.utf8)[...])
        guard text.utf8.count <= 512, reader.skipZoneName(), let west = reader.offsetWest() else { return nil }
        standardOffset = -west
        if reader.isAtEnd { return }
        guard reader.skipZoneName() else { return nil }
        var daylight = Daylight(
            offset: standardOffset + 3600,
            start: .weekday(month: 3, week: 2, weekday: 0),
            startTime: 7200,
            end: .weekday(month: 11, week: 1, weekday: 0),
            endTime: 7200
        )
        if !reader.isAtEnd, reader.rest.first != UInt8(ascii: ",") {
            guard let west = reader.offsetWest() else { return nil }
            daylight.offset = -west
        }
        let hasComma = reader.take(",")
        if reader.isAtEnd {
            // glibc ignores a comma without dates.
            hasDefaultDates = true
        } else {
            guard hasComma, let start = reader.dayOfChange() else { return nil }
            daylight.start = start
            guard let startTime = reader.timeOfChange() else { return nil }
            daylight.startTime = startTime
            guard reader.take(","), let end = reader.dayOfChange() else { return nil }
            daylight.end = end
            guard let endTime = reader.timeOfChange(), reader.isAtEnd else { return nil }
            daylight.endTime = endTime
        }
        self.daylight = daylight
    }
}

extension DigitReader {
    /// Skips three letters or more, or any text in angle brackets.
    fileprivate mutating func skipZoneName() -> Bool {
        if take("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end - rest.startIndex >= 1 else {
                return false
            }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { $0.isLetter }.count
        rest = rest.dropFirst(letters)
        return letters >= 3
    }

    fileprivate mutating func number(atMost limit: Int) -> Int? {
        let digits = rest.prefix { $0.isDigit }
        guard !digits.isEmpty, digits.count <= 4 else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        return value <= limit ? value : nil
    }

    fileprivate mutating func sign() -> Int {
        if take("-") { return -1 }
        _ = take("+")
        return 1
    }

    fileprivate mutating func clock(hoursAtMost limit: Int) -> Int? {
        guard var seconds = number(atMost: limit).map({ $0 * 3600 }) else { return nil }
        if take(":") {
            guard let minutes = number(atMost: 59) else { return nil }
            seconds += minutes * 60
            if take(":") {
                guard let rest = number(atMost: 59) else { return nil }
                seconds += rest
            }
        }
        return seconds
    }

    /// Reads an offset in seconds west of Greenwich.
    fileprivate mutating func offsetWest() -> Int? {
        let sign = sign()
        return clock(hoursAtMost: 24).map { sign * $0 }
    }

    /// Reads a time in seconds after midnight, 2:00 if none is given; `nil` if it is invalid.
    fileprivate mutating func timeOfChange() -> Int? {
        guard take("/") else { return 7200 }
        let sign = sign()
        return clock(hoursAtMost: 167).map { sign * $0 }
    }

    fileprivate mutating func dayOfChange() -> PosixZone.Day? {
        if take("J") {
            return number(atMost: 365).flatMap { $0 >= 1 ? .julian($0) : nil }
        }
        guard take("M") else { return number(atMost: 365).map { .zeroBased($0) } }
        guard let month = number(atMost: 12), month >= 1, take("."),
            let week = number(atMost: 5), week >= 1, take("."), let weekday = number(atMost: 6)
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }
}
