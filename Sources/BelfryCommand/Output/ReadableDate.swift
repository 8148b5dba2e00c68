import BelfryRecurrence
import Foundation

/// Dates and time spans for eyes.
enum ReadableDate {
    /// `Thu 2026-12-24 18:00:00 +01:00`
    static func text(_ date: Date, in zone: ZoneRules) -> String {
        let exact = date.timeIntervalSince1970.rounded(.down)
        guard exact.magnitude < 1e12 else { return "@\(date.timeIntervalSince1970)" }
        let seconds = Int64(exact)
        let offset = zone.offset(at: seconds)
        let local = LocalDate(secondsAtUTC: seconds + Int64(offset))
        let weekday = WeekdayText.names[local.weekday - 1]
        return "\(weekday) \(local.date) \(local.time) \(LocalDate.text(ofOffset: offset))"
    }

    /// `in 2 d 3 h`, `12 s ago`: the two largest units.
    static func distance(from now: Date, to date: Date) -> String {
        let seconds = (date.timeIntervalSince(now)).rounded()
        guard seconds.magnitude < 1e12 else { return seconds < 0 ? "long ago" : "in ages" }
        let span = span(Int(seconds.magnitude))
        return seconds == 0 ? "now" : seconds < 0 ? "\(span) ago" : "in \(span)"
    }

    /// `2 d 3 h`
    static func span(_ seconds: Int) -> String {
        let units = [("y", 31_556_952), ("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
        guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 s" }
        let (name, size) = units[first]
        guard first + 1 < units.count else { return "\(seconds / size) \(name)" }
        let (smaller, smallerSize) = units[first + 1]
        let rest = seconds % size / smallerSize
        return rest == 0 ? "\(seconds / size) \(name)" : "\(seconds / size) \(name) \(rest) \(smaller)"
    }
}
