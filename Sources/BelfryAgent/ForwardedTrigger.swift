package import Belfry
package import FoundationEssentials

/// A trigger of an app's own kind as the agent keeps it: the dates that the app has computed ahead, and the trigger
/// itself, which only the app can read.
package struct ForwardedDatesTrigger: WallClockTrigger {
    package static let kind: TriggerKind = "forwarded-dates"
    package var repeats: Bool
    package var original: JSONValue
    /// Ascending.
    package var dates: [Date]
    /// How many firings are to come beyond ``dates``; nil is without end.
    package var beyond: Int?

    package var followsSystemZone: Bool { false }
    package var times: Int? { nil }
    package func nextDate(after date: Date, in context: TriggerContext) -> Date? { dates.first { $0 > date } }
    package func validate() throws(NoticeError) { for date in dates { try NumberBounds.check(date, "dates") } }
}

/// The same for a kind that waits on elapsed time, which the agent can count by itself.
package struct ForwardedIntervalTrigger: ElapsedTimeTrigger {
    package static let kind: TriggerKind = "forwarded-interval"
    package var repeats: Bool
    package var original: JSONValue
    package var interval: Duration
    package var startsNow: Bool
    package var times: Int?
}

extension TriggerRegistry {
    /// What the agent can read: Belfry's own kinds, and apps' kinds as they are forwarded.
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
