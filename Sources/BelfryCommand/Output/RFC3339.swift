import BelfryRecurrence
import BelfrySchedules
import Foundation

/// Dates as programs read them: `2026-12-24T18:00:00+01:00`, in a zone, with its offset.
enum RFC3339 {
    static func text(_ date: Date, in zone: ZoneRules) -> String {
        let exact = (date.timeIntervalSince1970 * 1000).rounded(.down)
        guard exact.magnitude < 1e15 else { return "@\(date.timeIntervalSince1970)" }
        let milliseconds = Int64(exact)
        var seconds = milliseconds / 1000
        var rest = milliseconds % 1000
        if rest < 0 {
            seconds -= 1
            rest += 1000
        }
        let offset = zone.offset(at: seconds)
        let local = LocalDate(secondsAtUTC: seconds + Int64(offset))
        let fraction = rest == 0 ? "" : "." + padded(Int(rest), 3)
        return "\(day(local))T\(time(local))\(fraction)\(offsetText(offset))"
    }

    static func day(_ local: LocalDate) -> String {
        "\(padded(local.year, 4))-\(padded(local.month, 2))-\(padded(local.day, 2))"
    }

    static func time(_ local: LocalDate) -> String {
        "\(padded(local.hour, 2)):\(padded(local.minute, 2)):\(padded(local.second, 2))"
    }

    /// RFC 3339 has no seconds in an offset; those of local mean time are left out.
    static func offsetText(_ offset: Int) -> String {
        let minutes = offset.magnitude / 60
        return "\(offset < 0 ? "-" : "+")\(padded(Int(minutes / 60), 2)):\(padded(Int(minutes % 60), 2))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
