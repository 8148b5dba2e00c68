/// Reads the parts of one `RRULE`, `NAME=value` between semicolons, and checks that they are compatible.
struct RRulePartsParser {
    private var reader: NotationReader
    private var rule = RRule.Rule(frequency: .daily)
    /// The column of each part that was given.
    private var places: [String: Int] = [:]

    init(reader: NotationReader) {
        self.reader = reader
    }

    consuming func read() throws(RecurrenceError) -> RRule.Rule {
        if reader.isAtEnd { throw reader.error("the rule is empty; give at least FREQ") }
        while !reader.isAtEnd {
            try readPart()
            if reader.isAtEnd { break }
            // A trailing semicolon is common and harmless.
            guard reader.skip(";") else { throw reader.unexpected("';'") }
        }
        try check()
        normalize()
        return rule
    }

    private mutating func readPart() throws(RecurrenceError) {
        let start = reader.position
        let name = reader.word()
        guard !name.isEmpty, reader.skip("=") else { throw reader.unexpected("a part such as FREQ=DAILY") }
        if places[name] != nil { throw reader.error("\(name) is given twice", at: start) }
        places[name] = start
        switch name {
        case "FREQ": rule.frequency = try word(of: RRule.Frequency.allCases.map { ($0.rawValue, $0) }, for: name)
        case "INTERVAL": rule.interval = try positive(name)
        case "COUNT":
            if rule.end != nil { throw reader.error("COUNT and UNTIL exclude each other", at: start) }
            rule.end = .count(try positive(name))
        case "UNTIL":
            if rule.end != nil { throw reader.error("COUNT and UNTIL exclude each other", at: start) }
            rule.end = .until(try RRule.DateValue(reading: &reader))
        case "BYSECOND": rule.seconds = try list(name, 0...60)
        case "BYMINUTE": rule.minutes = try list(name, 0...59)
        case "BYHOUR": rule.hours = try list(name, 0...23)
        case "BYDAY": rule.weekdays = try weekdayList()
        case "BYMONTHDAY": rule.monthDays = try list(name, 1...31, signed: true)
        case "BYYEARDAY": rule.yearDays = try list(name, 1...366, signed: true)
        case "BYWEEKNO": rule.weekNumbers = try list(name, 1...53, signed: true)
        case "BYMONTH": rule.months = try list(name, 1...12)
        case "BYSETPOS": rule.positions = try list(name, 1...366, signed: true)
        case "WKST": rule.weekStart = try weekday()
        case "SKIP":
            rule.skip = try word(of: [("OMIT", .omit), ("BACKWARD", .backward), ("FORWARD", .forward)], for: name)
        case "RSCALE": _ = try word(of: [("GREGORIAN", 0), ("GREGORY", 0)], for: name)
        default: throw reader.error("'\(name.prefix(40))' is no part of a rule", at: start)
        }
    }

    private mutating func word<Value>(of choices: [(String, Value)], for name: String) throws(RecurrenceError) -> Value
    {
        let start = reader.position
        let word = reader.word()
        if let choice = choices.first(where: { $0.0 == word }) { return choice.1 }
        let names = choices.map(\.0).joined(separator: ", ")
        throw reader.error("\(name) is one of \(names), not '\(word.prefix(40))'", at: start)
    }

    private mutating func positive(_ name: String) throws(RecurrenceError) -> Int {
        let start = reader.position
        guard let number = try reader.number() else { throw reader.unexpected("a number for \(name)") }
        if number == 0 { throw reader.error("\(name) 0 is not 1 or more", at: start) }
        return number
    }

    private mutating func list(
        _ name: String,
        _ range: ClosedRange<Int>,
        signed: Bool = false
    ) throws(RecurrenceError) -> [Int] {
        // A set, so that ten thousand repetitions of a value cost only their reading.
        var values: Set<Int> = []
        repeat {
            let start = reader.position
            let negative = signed && reader.skip("-")
            if signed, !negative { _ = reader.skip("+") }
            guard let number = try reader.number() else { throw reader.unexpected("a number for \(name)") }
            guard range.contains(number) else {
                let sign = negative ? "-" : ""
                throw reader.error(
                    "\(name) \(sign)\(number) is not in \(range.lowerBound)–\(range.upperBound)"
                        + (signed ? ", with or without a minus" : ""),
                    at: start
                )
            }
            values.insert(negative ? -number : number)
        } while reader.skip(",")
        return values.sorted()
    }

    private mutating func weekday() throws(RecurrenceError) -> Int {
        let names = RRule.Weekday.names
        let word = reader.string(reader.position..<min(reader.position + 2, reader.count)).uppercased()
        guard let index = names.firstIndex(of: word) else {
            throw reader.unexpected("a weekday (\(names.joined(separator: ", ")))")
        }
        reader.advance(by: 2)
        return index + 1
    }

    private mutating func weekdayList() throws(RecurrenceError) -> [RRule.Weekday] {
        var values: Set<RRule.Weekday> = []
        repeat {
            let start = reader.position
            let negative = reader.skip("-")
            let positive = !negative && reader.skip("+")
            let number = try reader.number()
            if let number, !(1...53).contains(number) {
                throw reader.error(
                    "BYDAY \(negative ? "-" : "")\(number) is not in 1–53, with or without a minus",
                    at: start
                )
            }
            if number == nil, negative || positive { throw reader.unexpected("a number") }
            values.insert(RRule.Weekday(weekday: try weekday(), ordinal: number.map { negative ? -$0 : $0 }))
        } while reader.skip(",")
        return values.sorted { ($0.ordinal ?? 0, $0.weekday) < ($1.ordinal ?? 0, $1.weekday) }
    }

    /// Throws for combinations of parts that RFC 5545, 3.3.10 forbids.
    private func check() throws(RecurrenceError) {
        guard places["FREQ"] != nil else { throw reader.error("FREQ is missing", at: 0) }
        func refuse(_ name: String, _ reason: String, if condition: Bool) throws(RecurrenceError) {
            if condition, let place = places[name] { throw reader.error("\(name) \(reason)", at: place) }
        }
        let frequency = rule.frequency
        try refuse("BYWEEKNO", "goes with FREQ=YEARLY only", if: frequency != .yearly)
        try refuse(
            "BYYEARDAY",
            "doesn't go with FREQ=\(frequency.rawValue)",
            if: [.daily, .weekly, .monthly].contains(frequency)
        )
        try refuse("BYMONTHDAY", "doesn't go with FREQ=WEEKLY", if: frequency == .weekly)
        let hasOrdinal = rule.weekdays.contains { $0.ordinal != nil }
        try refuse(
            "BYDAY",
            "takes numbers with FREQ=MONTHLY and FREQ=YEARLY only, and not beside BYWEEKNO",
            if: hasOrdinal && (![.monthly, .yearly].contains(frequency) || !rule.weekNumbers.isEmpty)
        )
        let others = places.keys.contains { $0.hasPrefix("BY") && $0 != "BYSETPOS" }
        try refuse("BYSETPOS", "needs another BY… part to choose from", if: !others)
    }

    /// Reads a leap second as the second before it, for clocks without leap seconds (RFC 5545, 3.3.12).
    private mutating func normalize() {
        if rule.seconds.contains(60) {
            rule.seconds = Set(rule.seconds.map { min($0, 59) }).sorted()
        }
    }
}
