import Belfry
import BelfryRecurrence

/// The three forms in which product teams keep lists of notices, each recognized by its keys.
extension ScheduleReading {
    mutating func readForms(_ positions: [NodePosition]) {
        guard let first = positions.first, !isFull(positions.count, "", first.node.offset) else { return }
        for position in positions { readEntry(position) }
    }

    private mutating func readEntry(_ position: NodePosition) {
        let node = position.node
        guard node.fields != nil else { return collector.add("must be an object, found \(node.found)", at: position) }
        if node["data"] != nil || (node["type"] != nil && node["time"] == nil) { return readC(position) }
        if node["endRepeat"] != nil || node["interval"] != nil {
            guard let occurrence = node["occurrence"] else { return readB(position) }
            let advice = "write \"endRepeat\": { \"repeatCount\": \(occurrence.found) }"
            return collector.add(
                "does not go with 'endRepeat' and 'interval'; \(advice)",
                at: position.path("occurrence"),
                occurrence.offset
            )
        }
        if node["occurrence"] != nil { return readA(position) }
        if node["repeat"]?.text != nil { return readB(position) }
        if node["time"] != nil { return readA(position) }
        collector.add(
            "is no notice of a known form; a file of Belfry's own has \"version\": 1, and the other forms have "
                + "\"time\" or \"data\"",
            at: position
        )
    }

    private static let formA = ["time", "day", "date", "repeat", "occurrence", "title", "msg"]

    /// Reads `{time: "19:30", day: "Tuesday", repeat: 7, occurrence: 4, title, msg}`: from the next Tuesday 19:30 on,
    /// every 7 days, 4 times. Without `repeat` it fires once; without `occurrence` it repeats until it is removed.
    private mutating func readA(_ position: NodePosition) {
        guard let reader = ObjectReader(position, Self.formA, collector) else { return }
        let start = formStart(reader)
        let days = reader.integer("repeat", 1...36_500)
        let count = reader.integer("occurrence", 1...1_000_000)
        if let count, count > 1, !reader.has("repeat") {
            return reader.report(
                "occurrence",
                "is \(count), and there is no 'repeat'; write the days between, such as \"repeat\": 7"
            )
        }
        guard let start, reader.has("repeat") == (days != nil), reader.has("occurrence") == (count != nil) else {
            return
        }
        appendForm(reader, start, days.map { .every($0, .daily) } ?? .once, count.map { .count($0) } ?? .never)
    }

    // MARK: Common parts of the forms A and B

    /// Returns the start; nil, after reporting an error, if it is invalid.
    func formStart(_ reader: ObjectReader) -> LocalRepeat.Start? {
        reader.require("time", "write for example \"time\": \"19:30\"")
        let time = reader.time("time")
        if reader.has("day"), reader.has("date") {
            return reader.report(
                "date",
                "does not go with 'day'; write a weekday or a day of the month, not both"
            )
        }
        let (day, date) = (reader.weekday("day"), reader.integer("date", 1...31))
        guard let time, reader.has("day") == (day != nil), reader.has("date") == (date != nil) else { return nil }
        return .next(DateFields(day: date, weekday: day).at(time))
    }

    /// Appends the entry if start, step and end are valid.
    mutating func appendForm(
        _ reader: ObjectReader,
        _ start: LocalRepeat.Start?,
        _ step: LocalRepeat.Step?,
        _ end: LocalRepeat.End?
    ) {
        var content = NoticeContent(title: "")
        content.set(title: reader.localizedInside("title"))
        content.set(body: reader.localizedInside("msg"))
        guard let start, let step, let end else { return }
        append(
            reader.position,
            id: nil,
            fingerprint: Fingerprint.of(reader.position.node.canonical, languageMark),
            NoticeRequest(id: "", content: content, languages: options.languages),
            .local(LocalRepeat(start: start, step: step, end: end))
        )
    }
}
