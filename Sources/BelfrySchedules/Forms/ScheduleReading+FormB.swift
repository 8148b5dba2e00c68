import Belfry
import BelfryRecurrence

extension ScheduleReading {
    private enum Period: String, CaseIterable {
        case daily, weekly, monthly, yearly
    }

    private static let form = ["time", "day", "date", "repeat", "interval", "endRepeat", "title", "msg"]
    private static let end = ["date", "months", "weeks", "days", "repeatCount"]

    /// Reads `{time: "19:00", date: 20, repeat: "monthly", endRepeat: {date: "20/05/2019"}, title, msg}`, or an
    /// `interval` of days instead of `repeat`.
    mutating func readB(_ position: NodePosition) {
        guard let reader = ObjectReader(position, Self.form, collector) else { return }
        let step = step(reader)
        appendForm(reader, formStart(reader), step, step == nil ? nil : end(reader))
    }

    private func step(_ reader: ObjectReader) -> LocalRepeat.Step? {
        let (hasDay, hasDate) = (reader.has("day"), reader.has("date"))
        // Already reported.
        guard !hasDay || !hasDate else { return nil }
        if reader.has("interval") {
            guard !reader.has("repeat") else {
                return reader.report("interval", "does not go with 'repeat'; write one of them")
            }
            return reader.integer("interval", 1...36_500).map { .every($0, .daily) }
        }
        guard reader.has("repeat") else {
            // With an end and no step, it repeats on each occurrence of its day.
            guard let end = reader.position("endRepeat")?.node else { return .once }
            return .every(1, hasDay ? .weekly : hasDate && end["days"] == nil ? .monthly : .daily)
        }
        guard let period: Period = reader.choice("repeat") else { return nil }
        let name = hasDay ? "day" : "date"
        switch period {
        case .daily where hasDay || hasDate:
            return reader.report(
                name,
                "does not go with \"repeat\": \"daily\"; leave it out, or write \"repeat\": "
                    + (hasDay ? "\"weekly\"" : "\"monthly\"")
            )
        case .weekly where hasDate:
            return reader.report(
                name,
                "is a day of the month, and does not go with \"repeat\": \"weekly\"; write \"day\" with a weekday, "
                    + "or \"repeat\": \"monthly\""
            )
        case .monthly where hasDay, .yearly where hasDay:
            return reader.report(
                name,
                "does not go with \"repeat\": \"\(period.rawValue)\"; write \"date\" with a day of the month, "
                    + "or \"repeat\": \"weekly\""
            )
        case .daily: return .every(1, .daily)
        case .weekly: return .every(1, .weekly)
        case .monthly: return .every(1, .monthly)
        case .yearly: return .every(1, .yearly)
        }
    }

    private func end(_ entry: ObjectReader) -> LocalRepeat.End? {
        guard entry.has("endRepeat") else { return .never }
        guard let reader = entry.object("endRepeat", Self.end) else { return nil }
        let given = Self.end.filter { reader.has($0) }
        guard given.count == 1 else {
            let names = given.map { "'\($0)'" }.joined(separator: " and ")
            let all = Self.end.joined(separator: ", ")
            reader.report("has \(given.isEmpty ? "no end" : names); write one of \(all)")
            return nil
        }
        switch given[0] {
        case "date": return reader.day("date").map { .through($0) }
        case "months":
            guard entry.has("date") else {
                return reader.report(
                    "months",
                    "goes with a day of the month; write \"date\" in the notice, or \"weeks\" or \"days\" here"
                )
            }
            return reader.integer("months", 1...12_000).map { .months($0) }
        case "weeks":
            guard entry.has("day") || entry.has("interval") else {
                return reader.report(
                    "weeks",
                    "goes with a weekday or an interval; write \"day\" or \"interval\" in the notice, or \"days\" here"
                )
            }
            return reader.integer("weeks", 1...52_000).map { .days($0 * 7) }
        case "days":
            if entry.has("day") { return reader.report("days", "does not go with 'day'; write \"weeks\"") }
            if entry.has("repeat") {
                return reader.report("days", "does not go with 'repeat'; leave 'repeat' out: it is then daily")
            }
            return reader.integer("days", 1...365_000).map { .days($0) }
        default: return reader.integer("repeatCount", 1...1_000_000).map { .count($0) }
        }
    }
}
