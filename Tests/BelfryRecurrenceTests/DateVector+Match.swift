import BelfryRecurrence
import Foundation

extension DateFields {
    /// From the JSON form of batch mode.
    init(json: [String: Int]) {
        self.init(
            era: json["era"],
            year: json["year"],
            month: json["month"],
            day: json["day"],
            dayOfYear: json["dayOfYear"],
            weekday: json["weekday"],
            weekdayOrdinal: json["weekdayOrdinal"],
            weekOfMonth: json["weekOfMonth"],
            weekOfYear: json["weekOfYear"],
            yearForWeekOfYear: json["yearForWeekOfYear"],
            hour: json["hour"],
            minute: json["minute"],
            second: json["second"]
        )
    }
}

extension DateVector {
    var policies: DatePolicies {
        DatePolicies(
            missingDate: missingDate.flatMap(MissingDatePolicy.init(rawValue:)) ?? .nextDay,
            missingTime: missingTime.flatMap(MissingTimePolicy.init(rawValue:)) ?? .shiftForward,
            repeatedTime: repeatedTime.flatMap(RepeatedTimePolicy.init(rawValue:)) ?? .first
        )
    }

    /// Where the engine's dates differ from the expected ones; components out of range have no dates.
    func matchMismatch() -> String? {
        guard case .sets(let sets) = expression else { return "\(id): no components" }
        do {
            let rules = try ZoneRules.named(zone)
            let pattern = try DatePattern(
                matching: sets.map { DateFields(json: $0) },
                zone: rules,
                policies: policies,
                weeks: WeekRules(firstWeekday: firstWeekday ?? 1, minimumDaysInFirstWeek: minimumDaysInFirstWeek ?? 1)
            )
            return mismatch { pattern.next(after: $0) }
        } catch {
            return error.code == .invalidComponent && expected.isEmpty ? nil : "\(id): \(error.message)"
        }
    }
}
