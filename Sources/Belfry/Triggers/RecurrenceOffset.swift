import BelfryRecurrence
import FoundationEssentials

extension RecurrenceTrigger {
    /// How long before (or after) each date of a rule something fires, such as an alarm a day before an event.
    ///
    /// Days are days of the calendar, so that "a day before 9:00" is 9:00 across a clock change; seconds are exact (RFC
    /// 5545, 3.3.6).
    public struct Offset: Sendable, Codable, Hashable {
        /// Negative is before; at most ``limit`` either way.
        public let days: Int
        /// Negative is before.
        public let seconds: Int

        /// Days, and seconds in days, are cut to so many.
        public static let limit = 36_600

        /// Creates an offset; `add` checks that it is within ``limit`` days.
        public init(days: Int = 0, seconds: Int = 0) {
            self.days = min(max(days, -Self.limit), Self.limit)
            self.seconds = min(max(seconds, -Self.limit * 86_400), Self.limit * 86_400)
        }

        /// No occurrence before this has its firing after `date`. Nearly exact, since a rule may have one every second.
        func earliestOccurrence(for date: Date, in zone: ZoneRules) -> Date {
            let exact = date.addingTimeInterval(Double(-days * 86_400 - seconds))
            guard days != 0 else { return exact }
            // Where the clock changes between an occurrence and its firing, its day is longer or shorter by that.
            let here = Self.offsets(around: exact, zone)
            let there = Self.offsets(around: date.addingTimeInterval(Double(-seconds)), zone)
            return exact.addingTimeInterval(-Double(max(0, here.upperBound - there.lowerBound)))
        }

        /// Seconds from UTC within two days of an instant, either way: no clock change moves anything farther.
        private static func offsets(around date: Date, _ zone: ZoneRules) -> ClosedRange<Int> {
            let middle = date.timeIntervalSince1970
            guard middle.magnitude < 1e12 else { return -86_400...86_400 }
            let end = Int64(middle) + 2 * 86_400
            var instant = end - 4 * 86_400
            var (least, most) = (Int.max, Int.min)
            while true {
                let offset = zone.offset(at: instant)
                (least, most) = (min(least, offset), max(most, offset))
                guard let next = zone.nextChange(after: instant), next <= end else { return least...most }
                instant = next
            }
        }

        /// Nil where it is outside of what can be computed.
        func applied(to occurrence: Date, in zone: ZoneRules) -> Date? {
            guard days != 0 else { return occurrence.addingTimeInterval(Double(seconds)) }
            let start = occurrence.timeIntervalSince1970
            guard start.magnitude < 1e12 else { return nil }
            let instant = Int64(start.rounded(.down))
            let local = instant + Int64(zone.offset(at: instant)) + Int64(days) * 86_400
            // The offset there, by the offset here: exact but in the hour of a clock change, where either will do.
            let guess = local - Int64(zone.offset(at: instant))
            let shifted = local - Int64(zone.offset(at: guess))
            return Date(timeIntervalSince1970: Double(shifted + Int64(seconds)) + (start - start.rounded(.down)))
        }
    }
}
