import BelfryRecurrence
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
        let fraction = rest == 0 ? "" : ".\(String(1_000 + rest).dropFirst())"
        return "\(local.date)T\(local.time)\(fraction)\(LocalDate.text(ofOffset: offset))"
    }
}
