import BelfryRecurrence

/// The keys of Belfry's own form. Each list has the name of its object in `docs/schedule.schema.json`.
enum NativeKeys {
    static let file = ["$schema", "version", "zone", "notices"]
    static let notice = [
        "id", "title", "subtitle", "body", "bodyFormat", "trigger", "series", "thread", "category", "level",
        "relevance",
        "actions", "sound", "image", "icon", "progress", "badge", "attachments", "expiry", "misfire",
        "endsWhenAnswered", "dismissalEnds", "reportsDismissal", "isTransient", "isResident",
        "isPersistent", "privacy", "isDisplayed",
        "desktopCategory", "hints", "userInfo", "appName", "languages",
    ]
    static let action = ["id", "title", "icon", "reply", "purpose"]
    static let attachment = ["id", "path", "mediaType"]
    static let series = ["base", "first", "spacing", "count"]
    static let misfire = ["deliverLate"]
    static let deliverLate = ["within"]
    static let hint = ["byte", "int", "int64", "uint", "double", "string", "bool"]
    static let near = ["latitude", "longitude", "radius"]
    static let components = DateFields.components.map(\.name)
    /// Every key of a trigger; ``TriggerForm`` defines the valid combinations.
    static let trigger = TriggerForm.allKeys
}

/// The kinds of trigger by their keys, which are the command line's options, with the other keys that each allows.
package enum TriggerForm: String, CaseIterable {
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
