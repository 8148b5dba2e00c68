import Belfry
import BelfryRecurrence
import FoundationEssentials

extension Date {
    /// Returns the date for programs: `2026-12-24T18:00:00+01:00`, with milliseconds if not zero.
    func rfc3339(in zone: ZoneRules = .system()) -> String {
        let exact = (timeIntervalSince1970 * 1000).rounded(.down)
        guard exact.magnitude < 1e15 else { return "@\(timeIntervalSince1970)" }
        let (local, offset) = Self.local((exact / 1000).rounded(.down), in: zone)
        let rest = Int64(exact) - Int64((exact / 1000).rounded(.down)) * 1000
        let fraction = rest == 0 ? "" : ".\(String(1_000 + rest).dropFirst())"
        return "\(local.date)T\(local.time)\(fraction)\(offset)"
    }

    /// Returns the date for the user: `Thu 2026-12-24 18:00:00 +01:00`.
    func readable(in zone: ZoneRules = .system()) -> String {
        let exact = timeIntervalSince1970.rounded(.down)
        guard exact.magnitude < 1e12 else { return "@\(timeIntervalSince1970)" }
        let (local, offset) = Self.local(exact, in: zone)
        return "\(CalendarNames.shortWeekdays[local.weekday - 1]) \(local.date) \(local.time) \(offset)"
    }

    private static func local(_ seconds: Double, in zone: ZoneRules) -> (LocalDate, offset: String) {
        let offset = zone.offset(at: Int64(seconds))
        return (LocalDate(secondsAtUTC: Int64(seconds) + Int64(offset)), LocalDate.text(ofOffset: offset))
    }

    /// Returns the time from now in its two largest units: `in 2 d 3 h`, `12 s ago`.
    func distance(from now: Date = Date()) -> String {
        let seconds = timeIntervalSince(now).rounded()
        guard seconds.magnitude < 1e12 else { return seconds < 0 ? "long ago" : "in ages" }
        let span = TimeSpan.text(Int(seconds.magnitude))
        return seconds == 0 ? "now" : seconds < 0 ? "\(span) ago" : "in \(span)"
    }
}

extension Duration {
    /// The duration for the user in at most two units: `2.4 s`, `4 min 3 s`, `1 h 5 min`, `2 d 3 h`.
    var readable: String {
        let seconds = max(0, seconds)
        guard seconds >= 9.95 else { return "\((seconds * 10).rounded() / 10) s" }
        return TimeSpan.text(Int(min(seconds.rounded(), 1e15)))
    }
}

/// Time spans for the user.
enum TimeSpan {
    private static let units = [("y", 31_556_952), ("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]

    /// Returns the two largest units: `2 d 3 h`.
    static func text(_ seconds: Int) -> String {
        guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 s" }
        let (name, size) = units[first]
        guard first + 1 < units.count else { return "\(seconds / size) \(name)" }
        let (smaller, smallerSize) = units[first + 1]
        let rest = seconds % size / smallerSize
        return rest == 0 ? "\(seconds / size) \(name)" : "\(seconds / size) \(name) \(rest) \(smaller)"
    }

    /// Returns ` (12 s late)`; empty below a second.
    static func lateness(_ late: Duration?) -> String {
        guard let late, late >= .seconds(1) else { return "" }
        return " (\(text(Int(late.components.seconds))) late)"
    }
}
