import Belfry
import BelfryRecurrence

/// Times, days and texts as the three forms write them.
enum FormText {
    /// `19:30` or `19:30:15`, as a time of day without a date.
    static func time(_ reader: ObjectReader, _ name: String) -> LocalDate? {
        guard let text = reader.text(name) else { return nil }
        return time(Substring(text), reader, name)
    }

    private static func time(_ text: Substring, _ reader: ObjectReader, _ name: String) -> LocalDate? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(number)
        var time = LocalDate(year: 2000, month: 1, day: 1)
        guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
            let second = parts.count == 3 ? parts[2] : 0
        else { return tell(reader, name, text, "write it as \"19:30\"") }
        (time.hour, time.minute, time.second) = (hour, minute, second)
        if let fault = time.fault { return tell(reader, name, text, "\(fault); write it as \"19:30\"") }
        return time
    }

    /// The English name of a day, or three letters of it.
    static func weekday(_ reader: ObjectReader, _ name: String) -> Int? {
        guard let text = reader.text(name) else { return nil }
        guard let weekday = ComponentName.weekday(text) else {
            return tell(
                reader,
                name,
                text[...],
                "write Monday, Tuesday, Wednesday, Thursday, Friday, Saturday or Sunday"
            )
        }
        return weekday
    }

    /// `20/05/2019`: day, month, year.
    static func day(_ reader: ObjectReader, _ name: String) -> LocalDate? {
        guard let text = reader.text(name) else { return nil }
        let advice = "write day, month and year, as in \"20/05/2019\""
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(number)
        guard parts.count == 3, let day = parts[0], let month = parts[1], let year = parts[2], year > 99 else {
            return tell(reader, name, text[...], advice)
        }
        let date = LocalDate(year: year, month: month, day: day)
        if let fault = date.fault { return tell(reader, name, text[...], "\(fault); \(advice)") }
        return date
    }

    /// `2019/05/20 19:00`, or a weekday from 1 (Monday) to 7 (Sunday) and a time: `4 19:00`.
    static func start(_ reader: ObjectReader, _ name: String) -> LocalRepeat.Start? {
        guard let text = reader.text(name) else { return nil }
        let advice = "write \"2019/05/20 19:00\", or a weekday from 1 (Monday) to 7 and a time: \"4 19:00\""
        let halves = text.trimmed.split(separator: " ")
        guard halves.count == 2 else { return tell(reader, name, text[...], advice) }
        guard let time = time(halves[1], reader, name) else { return nil }
        let parts = halves[0].split(separator: "/", omittingEmptySubsequences: false).map(number)
        if parts.count == 1, let day = parts[0] {
            guard (1...7).contains(day) else {
                return tell(reader, name, text[...], "the weekday \(day) is not in 1 (Monday) to 7 (Sunday); \(advice)")
            }
            return .next(.weekday(day % 7 + 1), time)
        }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else {
            return tell(reader, name, text[...], advice)
        }
        var date = LocalDate(year: year, month: month, day: day)
        if let fault = date.fault { return tell(reader, name, text[...], "\(fault); \(advice)") }
        (date.hour, date.minute, date.second) = (time.hour, time.minute, time.second)
        return .on(date)
    }

    /// Plain text, or a JSON text of translations: `{"en": "Message"}`.
    static func localized(_ reader: ObjectReader, _ name: String) -> LocalizedText? {
        guard let text = reader.place(name)?.node.text, text.trimmed.first == "{" else { return reader.localized(name) }
        let (node, faults) = JSON5Reader.read(Array(text.utf8))
        if let node, faults.isEmpty, let fields = node.fields, !fields.isEmpty,
            fields.allSatisfy({ $0.node.text != nil })
        {
            return LocalizedText(translations: fields.map { ($0.name, $0.node.text ?? "") })
        }
        // "{Name}, good morning" is plain text; "{"en": …" is meant to be more.
        let inside = text.trimmed.dropFirst().first { !$0.isWhitespace }
        guard inside == "\"" || inside == "'" else { return LocalizedText(text) }
        let reason = faults.first?.reason ?? "each language must have a text"
        return tell(reader, name, text[...], "it begins as a JSON text of translations: \(reason)")
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...4).contains(text.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func tell<Value>(
        _ reader: ObjectReader,
        _ name: String,
        _ text: Substring,
        _ advice: String
    ) -> Value? {
        if let place = reader.place(name) {
            reader.collector.add("'\(text.clipped)' can't be read; \(advice)", at: place)
        }
        return nil
    }
}
