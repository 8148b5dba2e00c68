import BelfryRecurrence

/// The options of a region trigger other than its region. Requests with equal options share one object.
final class RegionRule: Sendable {
    struct Key: Hashable, Sendable {
        var edge: CircularRegion.Edge
        /// Microseconds.
        var dwell: Int64
        var repeats: Bool
        var during: String?

        init(_ trigger: some RegionTrigger) {
            edge = trigger.edge
            dwell = max(0, trigger.dwell.microseconds)
            repeats = trigger.repeats
            during = trigger.during
        }
    }

    let key: Key
    let window: MinuteWindow?

    var dwell: Int64 { key.dwell }
    var repeats: Bool { key.repeats }

    /// Throws if the trigger's `during` can't be parsed.
    init(_ key: Key) throws(NoticeError) {
        self.key = key
        if let during = key.during { window = try MinuteWindow(parsing: during) } else { window = nil }
    }

    func wants(_ crossing: CircularRegion.Crossing) -> Bool { key.edge.includes(crossing) }

    /// Returns whether a firing counts at an instant, in microseconds since 1970.
    func holds(at instant: Int64, in context: TriggerContext) -> Bool {
        window.map { $0.holds(at: instant, in: context.zone) } ?? true
    }
}

/// The rules that pending requests share.
struct RegionRuleTable: Sendable {
    private var rules: [RegionRule.Key: RegionRule] = [:]
    /// The number of rules at which those without an entry are dropped.
    private var limit = 1_024

    /// Returns the shared rule; nil if the trigger's `during` can't be parsed. Amortized O(1).
    mutating func shared(_ trigger: some RegionTrigger) -> RegionRule? {
        let key = RegionRule.Key(trigger)
        if let known = rules[key] { return known }
        guard let rule = try? RegionRule(key) else { return nil }
        if rules.count >= limit { dropUnused() }
        rules[key] = rule
        return rule
    }

    /// Drops rules that only this table references.
    mutating func dropUnused() {
        for key in Array(rules.keys) {
            guard var rule = rules.removeValue(forKey: key) else { continue }
            if !isKnownUniquelyReferenced(&rule) { rules[key] = rule }
        }
        limit = max(1_024, 2 * rules.count)
    }
}
