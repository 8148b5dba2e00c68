extension PosixZone {
    /// Parses a POSIX `TZ` string. A daylight name without a rule gets the rule of the United States since 2007, as in
    /// glibc.
    /// - Returns: `nil` if the text isn't a valid string.
    init?(parsing text: some StringProtocol) {
        var reader = Reader(bytes: ArraySlice(text.utf8))
        guard text.utf8.count <= 512, reader.skipName(), let west = reader.offset() else { return nil }
        standardOffset = -west
        if reader.isAtEnd { return }
        guard reader.skipName() else { return nil }
        var daylight = Daylight(
            offset: standardOffset + 3600,
            start: .weekday(month: 3, week: 2, weekday: 0),
            startTime: 7200,
            end: .weekday(month: 11, week: 1, weekday: 0),
            endTime: 7200
        )
        if !reader.isAtEnd, reader.next != UInt8(ascii: ",") {
            guard let west = reader.offset() else { return nil }
            daylight.offset = -west
        }
        let hasComma = reader.skip(",")
        if reader.isAtEnd {
            // glibc ignores a comma without dates.
            hasDefaultDates = true
        } else {
            guard hasComma, let start = reader.day() else { return nil }
            daylight.start = start
            guard let startTime = reader.time() else { return nil }
            daylight.startTime = startTime
            guard reader.skip(","), let end = reader.day() else { return nil }
            daylight.end = end
            guard let endTime = reader.time(), reader.isAtEnd else { return nil }
            daylight.endTime = endTime
        }
        self.daylight = daylight
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        var isAtEnd: Bool { bytes.isEmpty }
        var next: UInt8? { bytes.first }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard let next, next == UInt8(ascii: character) else { return false }
            bytes.removeFirst()
            return true
        }

        /// Skips three letters or more, or any text in angle brackets.
        mutating func skipName() -> Bool {
            if skip("<") {
                guard let end = bytes.firstIndex(of: UInt8(ascii: ">")), end - bytes.startIndex >= 1 else {
                    return false
                }
                bytes = bytes[(end + 1)...]
                return true
            }
            let letters = bytes.prefix { (65...90).contains($0) || (97...122).contains($0) }.count
            bytes = bytes.dropFirst(letters)
            return letters >= 3
        }

        mutating func number(atMost limit: Int) -> Int? {
            let digits = bytes.prefix { (48...57).contains($0) }
            guard !digits.isEmpty, digits.count <= 4 else { return nil }
            bytes = bytes.dropFirst(digits.count)
            let value = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
            return value <= limit ? value : nil
        }

        mutating func sign() -> Int {
            if skip("-") { return -1 }
            _ = skip("+")
            return 1
        }

        mutating func clock(hoursAtMost limit: Int) -> Int? {
            guard var seconds = number(atMost: limit).map({ $0 * 3600 }) else { return nil }
            if skip(":") {
                guard let minutes = number(atMost: 59) else { return nil }
                seconds += minutes * 60
                if skip(":") {
                    guard let rest = number(atMost: 59) else { return nil }
                    seconds += rest
                }
            }
            return seconds
        }

        /// Reads an offset in seconds west of Greenwich.
        mutating func offset() -> Int? {
            let sign = sign()
            return clock(hoursAtMost: 24).map { sign * $0 }
        }

        /// Reads a time in seconds after midnight, 2:00 if none is given; `nil` if it is invalid.
        mutating func time() -> Int? {
            guard skip("/") else { return 7200 }
            let sign = sign()
            return clock(hoursAtMost: 167).map { sign * $0 }
        }

        mutating func day() -> Day? {
            if skip("J") {
                return number(atMost: 365).flatMap { $0 >= 1 ? .julian($0) : nil }
            }
            guard skip("M") else { return number(atMost: 365).map { .zeroBased($0) } }
            guard let month = number(atMost: 12), month >= 1, skip("."),
                let week = number(atMost: 5), week >= 1, skip("."), let weekday = number(atMost: 6)
            else { return nil }
            return .weekday(month: month, week: week, weekday: weekday)
        }
    }
}
