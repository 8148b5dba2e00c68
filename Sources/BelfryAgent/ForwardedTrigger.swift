package import Belfry
import BelfryRecurrence
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
    /// The offsets from UTC at ``dates``, in the zone that they were computed in, if the original follows the system's
    /// zone. Stores of an earlier version lack them.
    package var offsets: [Int]?

    package var followsSystemZone: Bool { false }
    package func nextDate(after date: Date, in context: TriggerContext) -> Date? { dates.first { $0 > date } }

    package func validate() throws(NoticeError) {
        for date in dates { try NumberBounds.check(date, "dates") }
        for offset in offsets ?? [] { try NumberBounds.check(Int64(offset), "offsets") }
    }

    /// Returns the offsets of a zone at dates.
    static func offsets(of zone: ZoneRules, at dates: [Date]) -> [Int] {
        dates.map { zone.offset(at: $0.microsecondsSince1970 / 1_000_000) }
    }

    /// Returns by how many seconds local times come later in a zone than in the one that the dates were computed in, by
    /// the date nearest to `now`; nil if both have the same offsets at all dates. Names don't count: a zone can get new
    /// data.
    func delay(in zone: ZoneRules, at now: Date) -> TimeInterval? {
        let present = Self.offsets(of: zone, at: dates)
        guard present != offsets else { return nil }
        let nearest = zip(dates, zip(offsets ?? present, present)).min {
            abs($0.0.timeIntervalSince(now)) < abs($1.0.timeIntervalSince(now))
        }
        return nearest.map { _, offsets in Double(offsets.0) - Double(offsets.1) } ?? 0
    }
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
