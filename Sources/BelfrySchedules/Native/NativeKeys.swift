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
    /// Every key of a trigger; ``TriggerKey`` defines the valid combinations.
    static let trigger = TriggerKey.allKeys
}
