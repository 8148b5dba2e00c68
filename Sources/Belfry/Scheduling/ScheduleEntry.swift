import FoundationEssentials

/// What the schedule knows of a pending request: enough to decide when, nothing of what is shown.
///
/// There may be a million of them: an entry has 128 bytes, and what most requests have in common is shared.
struct ScheduleEntry: Identifiable, Sendable {
    enum Timing: Sendable {
        /// Due as soon as the center runs.
        case immediate
        /// Counted on the boot clock; `times` is never below 1.
        case elapsed(interval: Int64, startsNow: Bool, times: Int)
        case wallClock(DateSource, times: Int)
        /// Waits for a position; the region is in the schedule's ``RegionTable``. Its deadline is the end of a dwell
        /// time, on the boot clock.
        case region(RegionRule)
        /// Waits for no time: an unknown kind.
        case dormant

        var isImmediate: Bool { if case .immediate = self { true } else { false } }
    }

    let id: String
    /// Unique, rising with each add: the order of ties, and the name of the content in the store.
    var revision: Int64
    private let treatment: RequestTraits
    var progress: TriggerProgress
    /// Microseconds on the clock of the timing; nil where it waits for no time.
    var deadline: Int64?
    var timing: Timing

    /// Of the next firing.
    var level: InterruptionLevel { treatment.level(ofFiring: progress.fired + 1) }
    var relevance: Double { treatment.relevance }
    var traits: DeliveryTraits { treatment.delivery }
    /// Of the firing that has just been counted.
    var firingTraits: DeliveryTraits { treatment.delivery(ofFiring: firing) }
    var firing: Int { max(1, progress.fired) }
    var series: String? { treatment.delivery.series }

    /// Whether there may be more than one firing.
    var repeats: Bool {
        switch timing {
        case .immediate, .dormant: false
        case .elapsed(_, _, let times), .wallClock(_, let times): times > 1
        case .region(let rule): rule.repeats
        }
    }

    /// Whether the deadline is one of the boot clock.
    var waitsOnBootClock: Bool {
        switch timing {
        case .immediate, .elapsed, .region: true
        case .wallClock, .dormant: false
        }
    }

    /// The number of the entry's calendar rule, and whether that follows the system's zone; nil where it has none. Read
    /// without a look at the rule itself, which lies elsewhere in memory.
    var rule: (number: Int32, floats: Bool)? {
        guard case .wallClock(.calendar(_, let number, let floats), _) = timing else { return nil }
        return (number, floats)
    }

    /// Whether its dates are those of whatever zone the machine is in.
    var followsSystemZone: Bool {
        guard case .wallClock(let source, _) = timing else { return false }
        return source.followsSystemZone
    }

    /// - Parameter rules: where equal calendar triggers of other requests have left their rule.
    init(_ request: NoticeRequest, revision: Int64, progress: TriggerProgress, sharing rules: inout RuleTable) {
        id = request.id
        self.revision = revision
        self.progress = progress
        treatment = .of(request)
        timing = Timing(request.trigger, sharing: &rules)
    }

    init(_ pending: StoredState.Pending, _ timing: Timing) {
        id = pending.id
        revision = pending.revision
        progress = pending.progress
        treatment = pending.traits
        self.timing = timing
    }
}

extension ScheduleEntry.Timing {
    init(_ trigger: (any NoticeTrigger)?, sharing rules: inout RuleTable) {
        // Belfry's own kinds first: to find out which protocol a stranger conforms to takes longer than all the rest.
        switch trigger {
        case nil, is ImmediateTrigger: self = .immediate
        case let trigger as CalendarTrigger: self = .wallClock(trigger, sharing: &rules)
        case let trigger as DateTrigger: self = .wallClock(trigger, sharing: &rules)
        case let trigger as IntervalTrigger: self = .elapsed(trigger)
        case let trigger as LocationTrigger: self = .region(trigger, sharing: &rules)
        case let trigger as any ElapsedTimeTrigger: self = .elapsed(trigger)
        case let trigger as any WallClockTrigger: self = .wallClock(trigger, sharing: &rules)
        case let trigger as any RegionTrigger: self = .region(trigger, sharing: &rules)
        default: self = .dormant
        }
    }

    private static func wallClock(_ trigger: some WallClockTrigger, sharing rules: inout RuleTable) -> Self {
        .wallClock(DateSource(trigger, sharing: &rules), times: trigger.repeats ? trigger.count ?? .max : 1)
    }

    static func region(_ trigger: some RegionTrigger, sharing rules: inout RuleTable) -> Self {
        guard let rule = rules.regions.shared(trigger) else { return .dormant }
        return .region(rule)
    }

    static func elapsed(_ trigger: some ElapsedTimeTrigger) -> Self {
        .elapsed(
            interval: max(1, trigger.interval.microseconds),
            startsNow: trigger.startsNow,
            times: trigger.repeats ? trigger.count ?? .max : 1
        )
    }

    /// Microseconds from the anchor of an elapsed time to the firing after so many; far less than overflows a date.
    static func span(_ interval: Int64, startsNow: Bool, fired: Int) -> Int64 {
        let (product, overflow) = interval.multipliedReportingOverflow(by: Int64(fired) + (startsNow ? 0 : 1))
        return overflow ? .max / 4 : min(product, .max / 4)
    }
}
