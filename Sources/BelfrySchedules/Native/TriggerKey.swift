/// The kinds of trigger by their keys, which are the command line's options, with the other keys that each allows.
package enum TriggerKey: String, CaseIterable {
    case `in`, at, every, match, on, cron, rrule, near

    var companions: [String] {
        switch self {
        case .in: []
        case .at: ["zone"]
        case .every: ["repeats", "startsNow", "starting", "until", "times", "zone"]
        case .match:
            [
                "repeats", "zone", "starting", "until", "times", "missingDate", "missingTime", "repeatedTime",
                "firstWeekday", "minimumDaysInFirstWeek", "calendar",
            ]
        case .on, .cron: ["repeats", "zone", "starting", "until", "times"]
        case .rrule: ["repeats", "zone", "start", "until", "times"]
        case .near: ["repeats", "edge", "dwell", "during"]
        }
    }

    static let allKeys: [String] = {
        var keys = allCases.map(\.rawValue)
        for key in allCases.flatMap(\.companions) where !keys.contains(key) { keys.append(key) }
        return keys
    }()
}
