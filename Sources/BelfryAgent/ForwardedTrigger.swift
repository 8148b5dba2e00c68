package import Belfry
package import FoundationEssentials

/// The agent's form of an app's own trigger kind. It has the dates that the app computed ahead, and the original
/// trigger, which only the app can decode.
package struct ForwardedDatesTrigger: WallClockTrigger {
    package static let kind: TriggerKind = "forwarded-dates"
    package var repeats: Bool
    package var original: JSONValue
    /// The stored dates, ascending.
    package var dates: [Date]
    /// The number of firings after ``dates``; nil for an endless trigger.
    package var beyond: Int?
    /// The identifier of the zone that ``dates`` were computed in, if the original follows the system's zone. Stores of
    /// an earlier version lack it.
    package var zone: String?

    package var followsSystemZone: Bool { false }
    package func nextDate(after date: Date, in context: TriggerContext) -> Date? { dates.first { $0 > date } }
    package func validate() throws(NoticeError) { for date in dates { try NumberBounds.check(date, "dates") } }
}

/// The agent's form of an app's own elapsed-time trigger, which the agent can compute.
package struct ForwardedIntervalTrigger: ElapsedTimeTrigger {
    package static let kind: TriggerKind = "forwarded-interval"
    package var repeats: Bool
    package var original: JSONValue
    package var interval: Duration
    package var startsNow: Bool
    package var count: Int?

    private enum CodingKeys: String, CodingKey {
        case repeats, original, interval, startsNow
        // Its name in stores.
        case count = "times"
    }
}

extension TriggerRegistry {
    /// The kinds that the agent can decode: Belfry's own kinds and the forwarded forms of apps' kinds.
    package static let agent: TriggerRegistry = {
        var kinds = TriggerRegistry.standard
        kinds.registerForwarded()
        return kinds
    }()

    mutating func registerForwarded() {
        register(ForwardedDatesTrigger.self)
        register(ForwardedIntervalTrigger.self)
    }
}
