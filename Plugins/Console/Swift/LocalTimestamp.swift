import Belfry
import BelfryRecurrence
import Foundation

/// An instant in the local time of a zone, to the second.
struct LocalTimestamp {
    private let year: Int
    private let month: Int
    private let day: Int
    private let secondOfDay: Int
    private let offset: Int

    /// When a delivery is shown.
    init(of delivery: Delivery, in zone: ZoneRules) {
        self.init(delivery.dueAt.addingTimeInterval(delivery.late.seconds), in: zone)
    }

    /// Clamped to the years 1 to 9999, which is what RFC 3339 can write.
    init(_ date: Date, in zone: ZoneRules) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let instant = seconds.isNaN ? 0 : Int64(min(max(seconds, -62_135_510_400), 253_402_214_400))
        offset = zone.offset(at: instant)
        let local = Int(instant) + offset
        secondOfDay = (local % 86_400 + 86_400) % 86_400
        (year, month, day) = Self.civil((local - secondOfDay) / 86_400)
    }

    /// As RFC 3339 has it, with the offset.
    var rfc3339: String {
        let minutes = abs(offset) / 60
        let zone = offset == 0 ? "Z" : (offset < 0 ? "-" : "+") + "\(Self.two(minutes / 60)):\(Self.two(minutes % 60))"
        return "\(date)T\(time)\(zone)"
    }

    var readable: String { "\(date) \(time)" }

    private var date: String {
        let digits = "\(year)"
        return String(repeating: "0", count: max(0, 4 - digits.count)) + "\(digits)-\(Self.two(month))-\(Self.two(day))"
    }

    private var time: String {
        "\(Self.two(secondOfDay / 3600)):\(Self.two(secondOfDay / 60 % 60)):\(Self.two(secondOfDay % 60))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Days since 1970 to a date of the Gregorian calendar, by eras of 400 years that begin on 1 March.
    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
