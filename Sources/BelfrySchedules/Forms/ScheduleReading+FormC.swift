import Belfry
import BelfryRecurrence

extension ScheduleReading {
    private enum Interval: String, CaseIterable {
        case day, week, month, year, weekday
    }

    private static let form = ["id", "type", "data"]
    private static let data = ["start", "interval", "occurrence", "translations"]
    private static let translation = ["title", "msg"]

    /// Reads
    /// `{id: 14, type: 1, data: {start: "2019/05/20 19:00", interval: "week", occurrence: 5, translations: {…}}}`.
    mutating func readC(_ position: NodePosition) {
        guard let reader = ObjectReader(position, Self.form, collector) else { return }
        let id = identifier(reader)
        let type = type(reader)
        guard reader.require("data", "write \"data\": { \"start\": …, \"translations\": … }"),
            let data = reader.object("data", Self.data)
        else { return }
        var request = NoticeRequest(id: "", content: translations(data), languages: options.languages)
        if let type {
            request.content.category = type.rawValue
            request.content.isDisplayed = type != .notDisplayed
        }
        guard let local = localRepeat(data), let id, let type else { return }
        // The fingerprint includes the meaning of the number, which affects the notice.
        let print = Fingerprint.of(position.node.canonical, languageMark, type.rawValue)
        append(
            position,
            id: id,
            idOffset: reader.position("id")?.node.offset,
            fingerprint: print,
            request,
            .local(local)
        )
    }

    private func identifier(_ reader: ObjectReader) -> String? {
        guard reader.require("id", "write for example \"id\": 14"), let node = reader.position("id")?.node else {
            return nil
        }
        switch node.value {
        case .integer(let number): return String(number)
        case .text(let text): return text
        default: return reader.mismatch("id", "a whole number or a text")
        }
    }

    private func type(_ reader: ObjectReader) -> ScheduleOptions.NoticeType? {
        let known = options.types.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value.rawValue))" }
            .joined(separator: ", ")
        guard reader.require("type", "there are \(known)"),
            let number = reader.integer("type", Int.min...Int.max)
        else { return nil }
        return options.types[number] ?? reader.mismatch("type", "one of \(known)")
    }

    private func localRepeat(_ data: ObjectReader) -> LocalRepeat? {
        data.require("start", "write \"2019/05/20 19:00\" or, for a weekday, \"4 19:00\"")
        let start = data.start("start")
        let interval: Interval? = data.choice("interval")
        let hasEnd = data.has("occurrence") && data.position("occurrence")?.node.canonical != "null"
        let count = hasEnd ? data.integer("occurrence", 1...1_000_000) : nil
        guard let start, hasEnd == (count != nil), data.has("interval") == (interval != nil) else { return nil }
        let step: LocalRepeat.Step
        switch (start, interval) {
        case (.next, .weekday), (.on, .week): step = .every(1, .weekly)
        case (.next, _):
            return data.report(
                "start",
                "is a weekday and a time, which go with \"interval\": \"weekday\"; write that, or a date"
            )
        case (.on, .weekday):
            return data.report(
                "interval",
                "is 'weekday', and the start is a date; write \"interval\": \"week\", or a start such as \"4 19:00\""
            )
        case (.on, nil):
            if let count, count > 1 {
                return data.report(
                    "occurrence",
                    "is \(count), and there is no 'interval'; write for example \"interval\": \"week\""
                )
            }
            return LocalRepeat(start: start, step: .once, end: .never)
        case (.on, .day): step = .every(1, .daily)
        case (.on, .month): step = .every(1, .monthly)
        case (.on, .year): step = .every(1, .yearly)
        }
        return LocalRepeat(start: start, step: step, end: count.map { .count($0) } ?? .never)
    }

    private func translations(_ data: ObjectReader) -> NoticeContent {
        var content = NoticeContent(title: "")
        guard data.require("translations", "write { \"en\": { \"title\": …, \"msg\": … }, \"default\": { … } }") else {
            return content
        }
        guard let languages = data.position("translations")?.fields, !languages.isEmpty else {
            return data.mismatch("translations", "an object of languages") ?? content
        }
        var titles: [(language: String, text: String)] = []
        var messages: [(language: String, text: String)] = []
        for (language, position) in languages {
            guard let reader = ObjectReader(position, Self.translation, collector) else { continue }
            if let title = reader.text("title") { titles.append((language, title)) }
            if let message = reader.text("msg") { messages.append((language, message)) }
        }
        if !titles.isEmpty { content.set(title: LocalizedText(translations: titles)) }
        if !messages.isEmpty { content.set(body: LocalizedText(translations: messages)) }
        return content
    }
}
