import BelfryRecurrence
import FoundationEssentials

extension RecurrenceTrigger {
    /// The time from each date of a rule to its firing, such as an alarm a day before an event.
    ///
    /// Days are calendar days, so that "a day before 9:00" is 9:00 across a clock change; seconds are exact (RFC 5545,
    /// 3.3.6).
    public struct Offset: Sendable, Codable, Hashable {
        /// The number of days; negative is before, at most ``limit`` in either direction.
        public let days: Int
        /// The number of seconds; negative is before.
        public let seconds: Int

        /// The limit of the days, and of the seconds in days; larger values are clamped.
        public static let limit = 36_600

        /// Creates an offset; values beyond ``limit`` days are clamped.
        public init(days: Int = 0, seconds: Int = 0) {
            self.days = min(max(days, -Self.limit), Self.limit)
            self.seconds = min(max(seconds, -Self.limit * 86_400), Self.limit * 86_400)
        }

        /// Returns the first and the last occurrence that may fire at a date. Earlier ones don't fire after it, and
        /// later ones not before it. They are close to each other, as a rule may fire every second.
        func occurrences(for date: Date, in zone: ZoneRules) -> (first: Date, last: Date) {
            let exact = date.addingTimeInterval(Double(-days * 86_400 - seconds))
            guard days != 0 else { return (exact, exact) }
            // A clock change between an occurrence and its firing makes the day longer or shorter.
            let here = Self.offsets(around: exact, zone)
            let there = Self.offsets(around: date.addingTimeInterval(Double(-seconds)), zone)
            return (
                exact.addingTimeInterval(-Double(max(0, here.upperBound - there.lowerBound))),
                exact.addingTimeInterval(Double(max(0, there.upperBound - here.lowerBound)))
            )
        }

        private static func offsets(around date: Date, _ zone: ZoneRules) -> ClosedRange<Int> {
            let middle = date.timeIntervalSince1970
            guard middle.magnitude < 1e12 else { return -86_400...86_400 }
            return zone.offsets(around: Int64(middle))
        }

        /// Returns the firing for an occurrence; nil if it is out of the computable range.
        func applied(to occurrence: Date, in zone: ZoneRules) -> Date? {
            guard days != 0 else { return occurrence.addingTimeInterval(Double(seconds)) }
            let start = occurrence.timeIntervalSince1970
            guard start.magnitude < 1e12 else { return nil }
            let instant = Int64(start.rounded(.down))
            let local = instant + Int64(zone.offset(at: instant)) + Int64(days) * 86_400
            // The offset there, found with the offset here: exact except in a clock change's hour, where both will do.
            let guess = local - Int64(zone.offset(at: instant))
            let shifted = local - Int64(zone.offset(at: guess))
            return Date(timeIntervalSince1970: Double(shifted + Int64(seconds)) + (start - start.rounded(.down)))
        }
    }
}

extension ZoneRules {
    /// Returns the offsets within two days before and after an instant: no clock change moves a time farther.
    func offsets(around instant: Int64) -> ClosedRange<Int> {
        let end = instant + 2 * 86_400
        var start = end - 4 * 86_400
        var (least, most) = (Int.max, Int.min)
        while true {
            let offset = offset(at: start)
            (least, most) = (min(least, offset), max(most, offset))
            guard let next = nextChange(after: start), next <= end else { return least...most }
            start = next
        }
    }
}
