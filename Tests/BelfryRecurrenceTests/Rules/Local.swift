import BelfryRecurrence
import Foundation

/// Dates as text, so that a test reads as the rule does.
struct Local {
    let zone: ZoneRules

    init(_ name: String) throws {
        zone = try ZoneRules.named(name)
    }

    init(zone: ZoneRules) {
        self.zone = zone
    }

    /// The instant of `2026-03-29 02:30[:15]` by this zone's clock, or of a text with an offset such as `…+02:00`.
    func instant(_ text: String) -> Int64 {
        var text = text
        var offset: Int64?
        if let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }), text.contains(":"),
            text.distance(from: sign, to: text.endIndex) == 6
        {
            let clock = text[sign...].dropFirst().split(separator: ":").compactMap { Int64($0) }
            offset = (clock[0] * 3600 + clock[1] * 60) * (text[sign] == "-" ? -1 : 1)
            text = String(text[..<sign])
        }
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        var components = DateComponents()
        (components.year, components.month, components.day) = (numbers[0], numbers[1], numbers[2])
        (components.hour, components.minute) = (numbers.count > 3 ? numbers[3] : 0, numbers.count > 4 ? numbers[4] : 0)
        components.second = numbers.count > 5 ? numbers[5] : 0
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        let local = Int64(calendar.date(from: components)?.timeIntervalSince1970 ?? 0)
        if let offset { return local - offset }
        return zone.instants(ofLocal: local).instant(local: local, missing: .shiftForward, repeated: .first) ?? 0
    }

    /// `2026-03-29 02:30:00+01:00`, seconds left out when they are zero.
    func text(_ instant: Int64) -> String {
        let offset = zone.offset(at: instant)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        let date = Date(timeIntervalSince1970: Double(instant) + Double(offset))
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func two(_ value: Int?) -> String { String(format: "%02d", value ?? 0) }
        let seconds = parts.second == 0 ? "" : ":" + two(parts.second)
        let sign = offset < 0 ? "-" : "+"
        return
            "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) \(two(parts.hour)):\(two(parts.minute))\(seconds)"
            + sign + two(abs(offset) / 3600) + ":" + two(abs(offset) / 60 % 60)
    }

    /// The next dates of some components after a local time, as text.
    func next(
        _ count: Int,
        _ sets: DateFields...,
        after: String,
        missingDate: MissingDatePolicy = .nextDay,
        missingTime: MissingTimePolicy = .shiftForward,
        repeatedTime: RepeatedTimePolicy = .first,
        weeks: WeekRules = WeekRules()
    ) throws -> [String] {
        let policies = DatePolicies(missingDate: missingDate, missingTime: missingTime, repeatedTime: repeatedTime)
        let pattern = try DatePattern(matching: sets, zone: zone, policies: policies, weeks: weeks)
        return pattern.dates(after: instant(after)).prefix(count).map(text)
    }
}
