import BelfryRecurrence

/// The keys of Belfry's own form. Each set has the name of its object in `docs/schedule.schema.json`.
enum NativeKeys {
    static let file = KeySet(name: "file", keys: ["$schema", "version", "zone", "notices"])
    static let notice = KeySet(
        name: "notice",
        keys: [
            "id", "title", "subtitle", "body", "bodyFormat", "trigger", "series", "thread", "category", "level",
            "relevance",
            "actions", "sound", "image", "icon", "progress", "badge", "attachments", "expiry", "misfire",
            "endsWhenAnswered", "dismissalEnds", "reportsDismissal", "isTransient", "isResident",
            "isPersistent", "privacy", "isDisplayed",
            "desktopCategory", "hints", "userInfo", "appName", "languages",
        ]
    )
    static let action = KeySet(name: "action", keys: ["id", "title", "icon", "reply", "purpose"])
    static let attachment = KeySet(name: "attachment", keys: ["id", "path", "mediaType"])
    static let series = KeySet(name: "series", keys: ["base", "first", "spacing", "count"])
    static let misfire = KeySet(name: "misfire", keys: ["deliverLate"])
    static let deliverLate = KeySet(name: "deliverLate", keys: ["within"])
    static let hint = KeySet(name: "hint", keys: ["byte", "int", "int64", "uint", "double", "string", "bool"])
    static let near = KeySet(name: "near", keys: ["latitude", "longitude", "radius"])
    static let components = KeySet(name: "components", keys: DateFields.components.map(\.name))
    /// Every key of a trigger; ``TriggerForm`` defines the valid combinations.
    static let trigger = KeySet(name: "trigger", keys: TriggerForm.allKeys)
    static let all = [
        file, notice, action, attachment, series, misfire, deliverLate, hint, near, components, trigger,
    ]
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
