import BelfryRecurrence
import FoundationEssentials

/// The compiled rule of a calendar trigger. It is shared by all copies of the trigger, and by all entries of a schedule
/// with equal triggers.
final class CalendarRule: Sendable, Hashable {
    private let pattern: FloatingPattern
    let zone: ZoneReference
    /// The policies for local times; the defaults if no hour is given, as each real hour counts then.
    var policies: DatePolicies { pattern.hourIsGiven ? pattern.policies : DatePolicies() }
    /// Computed once: a schedule looks for an equal rule each time a trigger is added.
    private let hash: Int

    init(matching sets: [DateFields], _ options: CalendarTrigger.Options) throws(RecurrenceError) {
        pattern = try FloatingPattern(matching: sets, policies: options.policies, weeks: options.weeks)
        zone = options.zone
        var hasher = Hasher()
        hasher.combine(pattern)
        hasher.combine(zone)
        hash = hasher.finalize()
    }

    /// Returns the first date after an instant, both in microseconds since 1970; nil if there is none, or no such zone.
    func next(after instant: Int64, in systemZone: ZoneRules) -> Int64? {
        // Rounded down: whole seconds after this second are also after the instant.
        let second = instant / 1_000_000 - (instant % 1_000_000 < 0 ? 1 : 0)
        // Most rules float, and need no lookup.
        guard zone != .floating else { return next(afterSecond: second, in: systemZone) }
        return (try? zone.rules(or: systemZone)).flatMap { next(afterSecond: second, in: $0) }
    }

    /// Returns the first date after `date`, which may have any fraction of a second.
    func next(after date: Date, in systemZone: ZoneRules) -> Date? {
        (try? zone.rules(or: systemZone)).flatMap { pattern.next(after: date, in: $0) }
    }

    private func next(afterSecond second: Int64, in zone: ZoneRules) -> Int64? {
        pattern.next(after: second, in: zone).map { $0 * 1_000_000 }
    }

    static func == (left: CalendarRule, right: CalendarRule) -> Bool {
        left === right || left.hash == right.hash && left.pattern == right.pattern && left.zone == right.zone
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
