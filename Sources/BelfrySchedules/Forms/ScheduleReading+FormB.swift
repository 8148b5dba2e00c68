import Belfry

extension ScheduleReading {
    private enum Period: String, CaseIterable {
        case daily, weekly, monthly, yearly
    }

    /// `{time: "19:00", date: 20, repeat: "monthly", endRepeat: {date: "20/05/2019"}, title, msg}`, or an `interval` of days in
    /// place of `repeat`.
    mutating func readB(_ place: NodePosition) {
        guard let reader = ObjectReader(place, FormKeys.b, collector) else { return }
        let start = formStart(reader)
        let request = formRequest(reader)
        guard let step = readStep(reader), let end = readEnd(reader), let start else { return }
        take(
            place,
            id: nil,
            fingerprint: formFingerprint(place),
            request,
            .local(LocalRepeat(start: start, step: step, end: end))
        )
    }

    private func readStep(_ reader: ObjectReader) -> LocalRepeat.Step? {
        let (hasDay, hasDate) = (reader.has("day"), reader.has("date"))
        // Told already.
        guard !hasDay || !hasDate else { return nil }
        if reader.has("interval") {
            guard !reader.has("repeat") else {
                reader.fault("interval", "does not go with 'repeat'; write one of them")
                return nil
            }
            return reader.integer("interval", 1...36_500).map { .days($0) }
        }
        guard reader.has("repeat") else {
            // With an end it repeats as often as its day comes.
            guard reader.has("endRepeat") else { return .once }
            return hasDay ? .weeks : hasDate && !endsAfterDays(reader) ? .months : .days(1)
        }
        guard let period: Period = reader.choice("repeat") else { return nil }
        switch period {
        case .daily:
            guard !hasDay, !hasDate else {
                reader.fault(
                    hasDay ? "day" : "date",
                    "does not go with \"repeat\": \"daily\"; leave it out, or write \"repeat\": \"\(hasDay ? "weekly" : "monthly")\""
                )
                return nil
            }
            return .days(1)
        case .weekly:
            guard !hasDate else {
                reader.fault(
                    "date",
                    "is a day of the month, and does not go with \"repeat\": \"weekly\"; write \"day\" with a weekday, or \"repeat\": \"monthly\""
                )
                return nil
            }
            return .weeks
        case .monthly, .yearly:
            guard !hasDay else {
                reader.fault(
                    "day",
                    "does not go with \"repeat\": \"\(period.rawValue)\"; write \"date\" with a day of the month, or \"repeat\": \"weekly\""
                )
                return nil
            }
            return period == .monthly ? .months : .years
        }
    }

    private func endsAfterDays(_ reader: ObjectReader) -> Bool { reader.place("endRepeat")?.node["days"] != nil }

    private func readEnd(_ entry: ObjectReader) -> LocalRepeat.End? {
        guard let place = entry.place("endRepeat") else { return .never }
        guard let reader = ObjectReader(place, FormKeys.end, collector) else { return nil }
        let given = FormKeys.end.keys.filter { reader.has($0) }
        guard given.count == 1 else {
            let names = FormKeys.end.keys.joined(separator: ", ")
            reader.fault(
                given.isEmpty
                    ? "has no end; write one of \(names)"
                    : "has \(given.map { "'\($0)'" }.joined(separator: " and ")); write one of \(names)"
            )
            return nil
        }
        switch given[0] {
        case "date": return FormText.day(reader, "date").map { .through($0) }
        case "months":
            guard entry.has("date") else {
                reader.fault(
                    "months",
                    "goes with a day of the month; write \"date\" in the notice, or \"weeks\" or \"days\" here"
                )
                return nil
            }
            return reader.integer("months", 1...12_000).map { .months($0) }
        case "weeks":
            guard entry.has("day") || entry.has("interval") else {
                reader.fault(
                    "weeks",
                    "goes with a weekday or an interval; write \"day\" or \"interval\" in the notice, or \"days\" here"
                )
                return nil
            }
            return reader.integer("weeks", 1...52_000).map { .days($0 * 7) }
        case "days":
            if let other = ["day", "repeat"].first(where: { entry.has($0) }) {
                let advice = other == "day" ? "\"weeks\"" : "leave 'repeat' out: it is then daily"
                reader.fault("days", "does not go with '\(other)'; \(other == "day" ? "write \(advice)" : advice)")
                return nil
            }
            return reader.integer("days", 1...365_000).map { .days($0) }
        default: return reader.integer("repeatCount", 1...1_000_000).map { .count($0) }
        }
    }
}
