/// Reads a calendar expression, following `calendarspec.c` of systemd.
struct CalendarParser {
    private var reader: NotationReader
    private var result = CalendarExpression()

    private static let notation = "on"
    /// The limit of links in a chain, which systemd has too.
    private static let maximumLinkCount = 240
    static let microseconds = 1_000_000

    static let shorthands: [(names: [String], text: String)] = [
        (["minutely"], "*-*-* *:*:00"), (["hourly"], "*-*-* *:00:00"), (["daily"], "*-*-* 00:00:00"),
        (["monthly"], "*-*-01 00:00:00"), (["weekly"], "Mon *-*-* 00:00:00"),
        (["yearly", "annually", "anually"], "*-01-01 00:00:00"), (["quarterly"], "*-01,04,07,10-01 00:00:00"),
        (["biannually", "bi-annually", "semiannually", "semi-annually"], "*-01,07-01 00:00:00"),
    ]

    static func read(_ text: String) throws(RecurrenceError) -> CalendarExpression {
        var parser = CalendarParser(reader: try NotationReader(text, notation: notation))
        try parser.read()
        return parser.result
    }

    private mutating func read() throws(RecurrenceError) {
        if reader.isAtEnd { throw reader.error("the expression is empty") }
        let whole = reader
        let end = splitZone()
        if end == 0 { throw reader.error("a time zone alone is no expression; write a date or a time before it") }
        let word = whole.string(0..<end).lowercased()
        if let shorthand = Self.shorthands.first(where: { $0.names.contains(word) }) {
            let zone = result.zone
            result = try Self.read(shorthand.text)
            result.zone = zone
            return
        }
        reader = whole.part(0..<end)
        try readWeekdays()
        if try readDate() { try readTime() }
        if !reader.isAtEnd { throw reader.unexpected("the end, or a time zone,") }
        try check()
    }

    /// Removes a time zone from the end.
    /// - Returns: the end of the rest.
    private mutating func splitZone() -> Int {
        let text = reader.string(0..<reader.count)
        guard let space = text.utf8.lastIndex(of: 0x20) else { return reader.count }
        let word = String(text.utf8[text.utf8.index(after: space)...]) ?? ""
        guard word.utf8.contains(where: { $0.isLetter }) else { return reader.count }
        if word.uppercased() == "UTC" {
            result.zone = "UTC"
        } else if !Self.isWeekdays(word), (try? ZoneRules.named(word)) != nil {
            result.zone = word
        } else {
            return reader.count
        }
        return text.utf8.distance(from: text.utf8.startIndex, to: space)
    }

    /// Whether a word begins with a weekday, so that it names days and not a zone.
    private static func isWeekdays(_ word: String) -> Bool {
        CalendarNames.weekdayCodes.contains { word.uppercased().hasPrefix($0) } && !word.contains("/")
    }

    // MARK: Weekdays

    private mutating func readWeekdays() throws(RecurrenceError) {
        guard reader.next?.isLetter == true else { return }
        var mask: UInt8 = 0
        while true {
            let start = reader.position
            // A comma at the end is allowed.
            if mask != 0, reader.isAtEnd || reader.next == 0x20 { break }
            let first = try weekday()
            var last = first
            if reader.skip("..") || reader.skip("-") { last = try weekday() }
            if last < first { throw reader.error("a range of weekdays goes from Monday to Sunday", at: start) }
            for day in first...last { mask |= 1 << UInt8(day) }
            if !reader.skip(",") { break }
        }
        guard reader.isAtEnd || reader.next == 0x20 else { throw reader.unexpected("',', '..' or a space") }
        skipSpaces()
        result.weekdays = mask == 0x7F ? nil : mask
    }

    /// Reads a weekday; 0 is Monday.
    private mutating func weekday() throws(RecurrenceError) -> Int {
        let start = reader.position
        let word = reader.string(reader.skip(while: { $0.isLetter })).uppercased()
        guard let place = CalendarNames.weekdayCodes.firstIndex(of: String(word.prefix(3))),
            word.utf8.count == 3 || word == CalendarNames.weekdays[place].uppercased()
        else {
            throw reader.error(
                "'\(word.prefix(40))' is neither a weekday nor one of daily, weekly and their kin",
                at: start
            )
        }
        return (place + 6) % 7
    }

    private mutating func skipSpaces() {
        _ = reader.skip(while: { $0 == 0x20 })
    }

    // MARK: Date and time

    /// Reads the date, if there is one.
    /// - Returns: whether a time may follow.
    private mutating func readDate() throws(RecurrenceError) -> Bool {
        if reader.isAtEnd { return true }
        if reader.next == UInt8(ascii: "@") {
            try readTimestamp()
            return false
        }
        let start = reader.position
        let first = try chain()
        // Numbers before a colon or the end are a time.
        if reader.isAtEnd || reader.next == UInt8(ascii: ":") {
            reader.rewind(to: start)
            return true
        }
        try readDateSeparator()
        let second = try chain()
        if reader.isAtEnd || reader.next == 0x20 {
            (result.month, result.day) = (first, second)
        } else {
            if result.fromMonthEnd { throw reader.unexpected("a space") }
            try readDateSeparator()
            (result.year, result.month, result.day) = (first, second, try chain())
            guard reader.isAtEnd || reader.next == 0x20 else { throw reader.unexpected("a space") }
        }
        skipSpaces()
        return true
    }

    private mutating func readDateSeparator() throws(RecurrenceError) {
        if reader.skip("~") {
            result.fromMonthEnd = true
        } else if !reader.skip("-") {
            throw reader.unexpected("'-' or '~'")
        }
    }

    /// Reads `@` and seconds since 1970.
    private mutating func readTimestamp() throws(RecurrenceError) {
        let start = reader.position
        reader.advance()
        guard let seconds = try reader.number() else { throw reader.unexpected("seconds since 1970") }
        guard seconds < Gregorian.seconds(ofDay: Gregorian.lastDay) else {
            throw reader.error("@\(seconds) is not before the year 9999", at: start)
        }
        let date = LocalDate(secondsAtUTC: Int64(seconds))
        func one(_ value: Int) -> CalendarChain { CalendarChain(links: [.init(start: value)]) }
        (result.year, result.month, result.day) = (one(date.year), one(date.month), one(date.day))
        (result.hour, result.minute) = (one(date.hour), one(date.minute))
        result.second = one(date.second * Self.microseconds)
        result.zone = "UTC"
    }

    private mutating func readTime() throws(RecurrenceError) {
        if reader.isAtEnd { return }
        result.hour = try chain()
        guard reader.skip(":") else { throw reader.unexpected("':'") }
        result.minute = try chain()
        // What follows a space is a zone that isn't known.
        if reader.isAtEnd || reader.next == 0x20 { return }
        guard reader.skip(":") else { throw reader.unexpected("':'") }
        result.second = try chain(inMicroseconds: true)
    }

    // MARK: Chains

    private mutating func chain(inMicroseconds: Bool = false) throws(RecurrenceError) -> CalendarChain? {
        if reader.skip("*") { return nil }
        var links: [CalendarChain.Link] = []
        repeat {
            if links.count >= Self.maximumLinkCount {
                throw reader.error("more than \(Self.maximumLinkCount) values are too many", code: .limitExceeded)
            }
            links.append(try link(inMicroseconds))
        } while reader.skip(",")
        return CalendarChain(links: links)
    }

    private mutating func link(_ inMicroseconds: Bool) throws(RecurrenceError) -> CalendarChain.Link {
        let begin = reader.position
        var link = CalendarChain.Link(start: try value(inMicroseconds))
        if reader.skip("..") {
            link.stop = try value(inMicroseconds)
            link.step = inMicroseconds ? Self.microseconds : 1
        }
        if reader.skip("/") {
            let start = reader.position
            let step = try value(inMicroseconds)
            if step == 0 { throw reader.error("a repetition of 0 is none", at: start) }
            link.step = step
        } else if inMicroseconds, let stop = link.stop, link.start + Self.microseconds > stop {
            throw reader.error("a range of seconds without a repetition is a second or longer", at: begin)
        }
        return link
    }

    private mutating func value(_ inMicroseconds: Bool) throws(RecurrenceError) -> Int {
        let start = reader.position
        guard var value = try reader.number() else { throw reader.unexpected("a number") }
        // As in systemd: larger values are in no component's range, and could overflow later.
        guard value <= Int(Int32.max) else { throw reader.error("\(value) is too large a number", at: start) }
        guard inMicroseconds else { return value }
        value *= Self.microseconds
        if reader.next == UInt8(ascii: "."), reader.peek(1) != UInt8(ascii: ".") {
            reader.advance()
            let digits = reader.skip(while: { $0.isDigit })
            if digits.isEmpty { throw reader.unexpected("a fraction of a second") }
            var scale = Self.microseconds
            for (place, digit) in reader.string(digits).utf8.enumerated() {
                let number = Int(digit) - 48
                if place < 6 {
                    scale /= 10
                    value += number * scale
                } else {
                    // The seventh digit rounds; further digits are ignored.
                    if place == 6, number >= 5 { value += 1 }
                }
            }
        }
        return value
    }

    // MARK: Ranges

    private mutating func check() throws(RecurrenceError) {
        if result.day == nil { result.fromMonthEnd = false }
        fixYears()
        let second = 0...60 * Self.microseconds - 1
        // A day before the last 28 doesn't exist in every month.
        let days = result.fromMonthEnd ? 1...28 : 1...31
        let parts: [(String, WritableKeyPath<CalendarExpression, CalendarChain?>, ClosedRange<Int>)] = [
            ("year", \.year, 1970...2199), ("month", \.month, 1...12), ("day", \.day, days), ("hour", \.hour, 0...23),
            ("minute", \.minute, 0...59), ("second", \.second, second),
        ]
        for (name, path, range) in parts {
            result[keyPath: path]?.normalize()
            guard let chain = result[keyPath: path] else { continue }
            let isDay = name == "day"
            if !chain.isValid(in: range, fromTheEnd: isDay && result.fromMonthEnd) {
                let shown = name == "second" ? "0–59.999999" : "\(range.lowerBound)–\(range.upperBound)"
                let text = chain.text(width: 0, unit: name == "second" ? Self.microseconds : 1)
                throw reader.error("\(name) \(text.prefix(60)) is not in \(shown), or never repeats in it", at: 0)
            }
        }
        // Any form of "every second" is `*`.
        let everySecond = CalendarChain.Link(start: 0, step: Self.microseconds)
        if result.second?.links.contains(everySecond) == true { result.second = nil }
    }

    /// Completes years of two digits to 1970–2069.
    private mutating func fixYears() {
        guard var chain = result.year else { return }
        func fixed(_ year: Int) -> Int { year < 70 ? year + 2000 : year < 100 ? year + 1900 : year }
        for place in chain.links.indices {
            chain.links[place].start = fixed(chain.links[place].start)
            chain.links[place].stop = chain.links[place].stop.map(fixed)
        }
        result.year = chain
    }
}
