import Belfry

extension ScheduleReading {
    /// Entries of the forms A, B and C, each recognised by its keys.
    mutating func readForms(_ places: [NodePosition]) {
        guard let first = places.first, !isFull(places.count, "", first.node.offset) else { return }
        for place in places { readEntry(place) }
    }

    private mutating func readEntry(_ place: NodePosition) {
        guard place.node.fields != nil else {
            collector.add("must be an object, found \(place.node.found)", at: place)
            return
        }
        let node = place.node
        if node["data"] != nil || (node["type"] != nil && node["time"] == nil) { return readC(place) }
        if node["endRepeat"] != nil || node["interval"] != nil {
            if let occurrence = node["occurrence"] {
                let path = place.path.isEmpty ? "occurrence" : "\(place.path).occurrence"
                collector.add(
                    "does not go with 'endRepeat' and 'interval'; write \"endRepeat\": { \"repeatCount\": \(occurrence.found) }",
                    at: path,
                    occurrence.offset
                )
                return
            }
            return readB(place)
        }
        if node["occurrence"] != nil { return readA(place) }
        if node["repeat"]?.text != nil { return readB(place) }
        if node["time"] != nil { return readA(place) }
        collector.add(
            "is no notice of a known form; a file of Belfry's own has \"version\": 1, and the other forms have \"time\" or \"data\"",
            at: place.path,
            node.offset
        )
    }

    /// What the forms A and B have in common. Nil, and told, where it is not in order.
    func formStart(_ reader: ObjectReader) -> LocalRepeat.Start? {
        if !reader.has("time") { reader.fault("time", "is missing; write for example \"time\": \"19:30\"") }
        let time = FormText.time(reader, "time")
        if reader.has("day"), reader.has("date") {
            reader.fault("date", "does not go with 'day'; write a weekday or a day of the month, not both")
            return nil
        }
        var day = LocalRepeat.Day.any
        if reader.has("day") {
            guard let weekday = FormText.weekday(reader, "day") else { return nil }
            day = .weekday(weekday)
        }
        if reader.has("date") {
            guard let number = reader.integer("date", 1...31) else { return nil }
            day = .date(number)
        }
        return time.map { .next(day, $0) }
    }

    func formRequest(_ reader: ObjectReader) -> NoticeRequest {
        var content = NoticeContent(title: "")
        if let title = FormText.localized(reader, "title") { content.set(title: title) }
        if let message = FormText.localized(reader, "msg") { content.set(body: message) }
        return NoticeRequest(id: "", content: content, languages: options.languages)
    }

    func formFingerprint(_ place: NodePosition) -> String { Fingerprint.of(place.node.canonical, languageMark) }
}
