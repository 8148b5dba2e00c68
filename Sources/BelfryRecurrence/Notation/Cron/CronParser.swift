/// Reads the fields of a cron expression.
enum CronParser {
    /// The shorthands for five fields.
    static let shorthands: [(name: String, fields: String)] = [
        ("@yearly", "0 0 1 1 *"), ("@annually", "0 0 1 1 *"), ("@monthly", "0 0 1 * *"), ("@weekly", "0 0 * * 0"),
        ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"), ("@hourly", "0 * * * *"),
    ]

    /// Returns the fields from the second or the minute to the weekday: six or five.
    static func fields(of text: String) throws(RecurrenceError) -> [CronField] {
        var reader = try NotationReader(text, notation: "cron")
        let words = words(&reader)
        if words.count == 1, reader.string(words[0]).hasPrefix("@") {
            return try fields(of: shorthand(reader, words[0]))
        }
        let kinds: [CronField.Kind] = [.second, .minute, .hour, .day, .month, .weekday]
        guard words.count == 5 || words.count == 6 else {
            throw reader.error(
                "five fields are expected (minute, hour, day, month, weekday), or six with the seconds first, "
                    + "not \(words.count)",
                at: words.count > 6 ? words[6].lowerBound : reader.count
            )
        }
        var fields: [CronField] = []
        for (kind, word) in zip(kinds.suffix(words.count), words) {
            var field = CronFieldParser(kind: kind, reader: reader.part(word))
            fields.append(try field.read())
        }
        return fields
    }

    private static func words(_ reader: inout NotationReader) -> [Range<Int>] {
        var words: [Range<Int>] = []
        while true {
            _ = reader.skip(while: { $0.isSpace })
            let word = reader.skip(while: { !$0.isSpace })
            if word.isEmpty { return words }
            words.append(word)
        }
    }

    private static func shorthand(_ reader: NotationReader, _ word: Range<Int>) throws(RecurrenceError) -> String {
        let name = reader.string(word).lowercased()
        if let fields = shorthands.first(where: { $0.name == name })?.fields { return fields }
        let names = shorthands.map(\.name).joined(separator: ", ")
        throw reader.error("'\(name.prefix(40))' is none of \(names)", at: word.lowerBound)
    }
}

private struct CronFieldParser {
    let kind: CronField.Kind
    var reader: NotationReader

    mutating func read() throws(RecurrenceError) -> CronField {
        // Equal items are kept once, so that ten thousand of them cost only their reading.
        var items: [CronField.Item] = []
        var known: Set<CronField.Item> = []
        repeat {
            let item = try item()
            if known.insert(item).inserted { items.append(item) }
        } while reader.skip(",")
        if !reader.isAtEnd { throw reader.unexpected("',' or the end of the \(kind.rawValue)") }
        return CronField(kind: kind, items: items)
    }

    private mutating func item() throws(RecurrenceError) -> CronField.Item {
        if reader.skip("*") || reader.skip("?") { return .all(step: try step() ?? 1) }
        if kind == .day, reader.skip("L") { return .lastDay(before: try daysBeforeLast()) }
        if kind == .weekday, reader.skip("L") {
            guard !reader.isAtEnd, let low = try optionalValue() else {
                throw reader.error("L needs a weekday here, such as 5L for the last Friday")
            }
            return .ordinal(low % 7, low % 7, ordinal: -1)
        }
        let low = try value()
        var high: Int?
        if reader.skip("-") {
            if kind == .day, reader.skip("L") { high = 31 } else { high = try value() }
        }
        if kind == .weekday, let ordinal = try ordinal() { return .ordinal(low, high ?? low, ordinal: ordinal) }
        if let step = try step() {
            return high.map { .range(low, $0, step: step) } ?? .from(low % (kind == .weekday ? 7 : 60), step: step)
        }
        return high.map { .range(low, $0, step: 1) } ?? .value(low % (kind == .weekday ? 7 : 60))
    }

    private mutating func step() throws(RecurrenceError) -> Int? {
        guard reader.skip("/") else { return nil }
        let start = reader.position
        guard let step = try reader.number() else { throw reader.unexpected("a step") }
        guard (1...kind.range.upperBound).contains(step) else {
            throw reader.error("\(kind.rawValue) step \(step) is not in 1–\(kind.range.upperBound)", at: start)
        }
        return step
    }

    private mutating func daysBeforeLast() throws(RecurrenceError) -> Int {
        guard reader.skip("-") else { return 0 }
        let start = reader.position
        guard let days = try reader.number() else { throw reader.unexpected("a number of days") }
        if days > 30 { throw reader.error("day L-\(days) is not in L-0–L-30", at: start) }
        return days
    }

    /// Reads `#1` to `#5`, `#L` or `L` after a weekday.
    private mutating func ordinal() throws(RecurrenceError) -> Int? {
        if reader.skip("L") { return -1 }
        guard reader.skip("#") else { return nil }
        if reader.skip("L") { return -1 }
        let start = reader.position
        guard let number = try reader.number() else { throw reader.unexpected("a number from 1 to 5, or L,") }
        guard (1...5).contains(number) else { throw reader.error("weekday #\(number) is not in #1–#5", at: start) }
        return number
    }

    private mutating func value() throws(RecurrenceError) -> Int {
        if let value = try optionalValue() { return value }
        throw reader.unexpected("a \(kind.rawValue)")
    }

    private mutating func optionalValue() throws(RecurrenceError) -> Int? {
        let start = reader.position
        if let number = try reader.number() {
            if kind.range.contains(number) { return number }
            throw reader.error(
                "\(kind.rawValue) \(number) is not in \(kind.range.lowerBound)–\(kind.range.upperBound)",
                at: start
            )
        }
        if kind.names.isEmpty { return nil }
        let letters = reader.skip(while: { $0.isLetter })
        if letters.isEmpty { return nil }
        let word = reader.string(letters).uppercased()
        if let place = kind.names.firstIndex(where: { word == $0 || word == $0 + "L" }) {
            // The L after a weekday is read separately.
            reader.rewind(to: letters.lowerBound + 3)
            return place + kind.cycle.lowerBound
        }
        throw reader.error(
            "\(kind.rawValue) '\(word.prefix(40))' is none of \(kind.names.joined(separator: ", "))",
            at: start
        )
    }
}
