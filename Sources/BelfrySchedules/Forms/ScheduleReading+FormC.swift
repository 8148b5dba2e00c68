import Belfry

extension ScheduleReading {
    private enum Interval: String, CaseIterable {
        case day, week, month, year, weekday
    }

    /// `{id: 14, type: 1, data: {start: "2019/05/20 19:00", interval: "week", occurrence: 5, translations: {…}}}`.
    mutating func readC(_ place: NodePosition) {
        guard let reader = ObjectReader(place, FormKeys.c, collector) else { return }
        let id = readIdentifier(reader)
        let type = readType(reader)
        guard let data = reader.place("data").flatMap({ ObjectReader($0, FormKeys.data, collector) }) else {
            if !reader.has("data") {
                reader.fault("data", "is missing; write \"data\": { \"start\": …, \"translations\": … }")
            }
            return
        }
        var request = NoticeRequest(id: "", content: readTranslations(data), languages: options.languages)
        if let type {
            request.content.category = type.rawValue
            request.content.isDisplayed = type != .notDisplayed
        }
        guard let local = readRepeat(data), let id, let type else { return }
        // What the number means changes the notice too.
        let print = Fingerprint.of(place.node.canonical, languageMark, type.rawValue)
        take(place, id: id, idOffset: reader.place("id")?.node.offset, fingerprint: print, request, .local(local))
    }

    private func readIdentifier(_ reader: ObjectReader) -> String? {
        guard let place = reader.place("id") else {
            reader.fault("id", "is missing; write for example \"id\": 14")
            return nil
        }
        switch place.node.value {
        case .integer(let number): return String(number)
        case .text(let text): return text
        default: return reader.mismatch("id", "a whole number or a text")
        }
    }

    private func readType(_ reader: ObjectReader) -> ScheduleOptions.NoticeType? {
        let known = options.types.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value.rawValue))" }
            .joined(separator: ", ")
        guard reader.has("type") else {
            reader.fault("type", "is missing; there are \(known)")
            return nil
        }
        guard let number = reader.integer("type", Int.min...Int.max) else { return nil }
        guard let type = options.types[number] else { return reader.mismatch("type", "one of \(known)") }
        return type
    }

    private func readRepeat(_ data: ObjectReader) -> LocalRepeat? {
        if !data.has("start") {
            data.fault("start", "is missing; write \"2019/05/20 19:00\" or, for a weekday, \"4 19:00\"")
        }
        let start = FormText.start(data, "start")
        let interval: Interval? = data.choice("interval")
        let hasEnd = data.has("occurrence") && data.place("occurrence")?.node.canonical != "null"
        let count = hasEnd ? data.integer("occurrence", 1...1_000_000) : nil
        guard let start, hasEnd == (count != nil), data.has("interval") == (interval != nil) else { return nil }
        let end = count.map { LocalRepeat.End.count($0) } ?? .never
        switch (start, interval) {
        case (.next, .weekday): return LocalRepeat(start: start, step: .weeks, end: end)
        case (.next, _):
            data.fault(
                "start",
                "is a weekday and a time, which go with \"interval\": \"weekday\"; write that, or a date"
            )
            return nil
        case (.on, .weekday):
            data.fault(
                "interval",
                "is 'weekday', and the start is a date; write \"interval\": \"week\", or a start such as \"4 19:00\""
            )
            return nil
        case (.on, nil):
            guard count ?? 1 == 1 else {
                data.fault(
                    "occurrence",
                    "is \(count ?? 1), and there is no 'interval'; write for example \"interval\": \"week\""
                )
                return nil
            }
            return LocalRepeat(start: start, step: .once, end: .never)
        case (.on, .day): return LocalRepeat(start: start, step: .days(1), end: end)
        case (.on, .week): return LocalRepeat(start: start, step: .weeks, end: end)
        case (.on, .month): return LocalRepeat(start: start, step: .months, end: end)
        case (.on, .year): return LocalRepeat(start: start, step: .years, end: end)
        }
    }

    private func readTranslations(_ data: ObjectReader) -> NoticeContent {
        var content = NoticeContent(title: "")
        guard let place = data.place("translations") else {
            data.fault("translations", "is missing; write { \"en\": { \"title\": …, \"msg\": … }, \"default\": { … } }")
            return content
        }
        guard let fields = place.node.fields, !fields.isEmpty else {
            let _: Void? = data.mismatch("translations", "an object of languages")
            return content
        }
        var titles: [(language: String, text: String)] = []
        var messages: [(language: String, text: String)] = []
        for field in fields {
            let place = NodePosition(node: field.node, path: "\(place.path).\(field.name.clipped)")
            guard let reader = ObjectReader(place, FormKeys.translation, collector) else { continue }
            if let title = reader.text("title") { titles.append((field.name, title)) }
            if let message = reader.text("msg") { messages.append((field.name, message)) }
        }
        if !titles.isEmpty { content.set(title: LocalizedText(translations: titles)) }
        if !messages.isEmpty { content.set(body: LocalizedText(translations: messages)) }
        return content
    }
}
