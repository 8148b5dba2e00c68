import Belfry
import BelfryRecurrence

/// Times, days and texts in the notation of the three forms.
extension ObjectReader {
    private func unreadable<Value>(_ name: String, _ text: some StringProtocol, _ advice: String) -> Value? {
        reject(name, "'\(text.clipped)' can't be read; \(advice)")
    }

    /// Reads `19:30` or `19:30:15`.
    func time(_ name: String) -> TimeOfDay? { text(name).flatMap { time(name, $0[...]) } }

    private func time(_ name: String, _ text: Substring) -> TimeOfDay? {
        let parts = Self.numbers(text, separator: ":")
        guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
            let second = parts.count == 3 ? parts[2] : 0
        else { return unreadable(name, text, "write it as \"19:30\"") }
        let date = LocalDate(year: 2000, month: 1, day: 1, hour: hour, minute: minute, second: second)
        return date.rangeError.map { unreadable(name, text, "\($0); write it as \"19:30\"") }
            ?? TimeOfDay(hour: hour, minute: minute, second: second)
    }

    /// Reads the English name of a weekday, or at least three letters of it.
    func weekday(_ name: String) -> Int? {
        guard let text = text(name) else { return nil }
        let advice = "write Monday, Tuesday, Wednesday, Thursday, Friday, Saturday or Sunday"
        return ComponentName.weekday(text) ?? unreadable(name, text, advice)
    }

    /// Reads `20/05/2019`: day, month, year.
    func day(_ name: String) -> LocalDate? {
        guard let text = text(name) else { return nil }
        let advice = "write day, month and year, as in \"20/05/2019\""
        let parts = Self.numbers(text[...], separator: "/")
        guard parts.count == 3, let day = parts[0], let month = parts[1], let year = parts[2], year > 99 else {
            return unreadable(name, text, advice)
        }
        let date = LocalDate(year: year, month: month, day: day)
        return date.rangeError.map { unreadable(name, text, "\($0); \(advice)") } ?? date
    }

    /// Reads `2019/05/20 19:00`, or a weekday from 1 (Monday) to 7 (Sunday) and a time: `4 19:00`.
    func start(_ name: String) -> LocalRepeat.Start? {
        guard let text = text(name) else { return nil }
        let advice = "write \"2019/05/20 19:00\", or a weekday from 1 (Monday) to 7 and a time: \"4 19:00\""
        let halves = text.trimmed.split(separator: " ")
        guard halves.count == 2 else { return unreadable(name, text, advice) }
        guard let time = time(name, halves[1]) else { return nil }
        let parts = Self.numbers(halves[0], separator: "/")
        if parts.count == 1, let day = parts[0] {
            guard (1...7).contains(day) else {
                return unreadable(name, text, "the weekday \(day) is not in 1 (Monday) to 7 (Sunday); \(advice)")
            }
            return .next(DateFields(weekday: day % 7 + 1).at(time))
        }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else {
            return unreadable(name, text, advice)
        }
        var date = LocalDate(year: year, month: month, day: day)
        (date.hour, date.minute, date.second) = (time.hour, time.minute, time.second)
        return date.rangeError.map { unreadable(name, text, "\($0); \(advice)") } ?? .on(date)
    }

    /// Reads plain text, or a text with translations as JSON: `{"en": "Message"}`.
    func localizedInside(_ name: String) -> LocalizedText? {
        guard let text = position(name)?.node.text, text.trimmed.first == "{" else { return localized(name) }
        let (node, errors) = JSON5Reader.read(Array(text.utf8))
        let translations = node?.fields?.compactMap { field in field.node.text.map { (field.name, $0) } } ?? []
        if errors.isEmpty, !translations.isEmpty, translations.count == node?.fields?.count {
            return LocalizedText(translations: translations)
        }
        // "{Name}, good morning" is plain text; "{"en": …" is probably JSON.
        let inside = text.trimmed.dropFirst().first { !$0.isWhitespace }
        guard inside == "\"" || inside == "'" else { return LocalizedText(text) }
        let reason = errors.first?.reason ?? "each language must have a text"
        return unreadable(name, text, "it begins as a JSON text of translations: \(reason)")
    }

    /// Returns nil for each part that isn't a number of one to four digits.
    private static func numbers(_ text: Substring, separator: Character) -> [Int?] {
        text.split(separator: separator, omittingEmptySubsequences: false).map { part in
            (1...4).contains(part.count) && part.utf8.allSatisfy(\.isDigit) ? Int(part) : nil
        }
    }
}
