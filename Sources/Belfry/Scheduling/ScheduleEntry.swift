import FoundationEssentials

/// The schedule's state of a pending request: enough to decide when it fires, without its content.
///
/// There may be a million entries, so each has 128 bytes, and common values are shared.
struct ScheduleEntry: Identifiable, Sendable {
    enum Timing: Sendable {
        /// Due as soon as the center runs.
        case immediate
        /// Counted on the boot clock; `times` is at least 1.
        case elapsed(interval: Int64, startsNow: Bool, times: Int)
        case wallClock(DateSource, times: Int)
        /// Waits for a location fix; the region is in the schedule's ``RegionTable``. The deadline is the end of a
        /// dwell time, on the boot clock.
        case region(RegionRule)
        /// Waits for no time: the kind of the trigger is unknown.
        case dormant

        var isImmediate: Bool { if case .immediate = self { true } else { false } }
    }

    let id: String
    /// Unique and increasing with each add: the order of ties, and the key of the content in the store.
    var revision: Int64
    private let treatment: RequestTraits
    var progress: TriggerProgress
    /// Microseconds on the clock of the timing; nil if it waits for no time.
    var deadline: Int64?
    var timing: Timing

    /// The level of the next firing.
    var level: InterruptionLevel { treatment.level(ofFiring: progress.fired + 1) }
    var relevance: Double { treatment.relevance }
    var traits: DeliveryTraits { treatment.delivery }
    /// The traits of the firing that has just been counted.
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

    /// Whether the deadline is on the boot clock.
    var waitsOnBootClock: Bool {
        switch timing {
        case .immediate, .elapsed, .region: true
        case .wallClock, .dormant: false
        }
    }

    /// The number of the entry's calendar rule, and whether it follows the system's zone; nil if it has none. Reading
    /// it doesn't access the rule, which is elsewhere in memory.
    var rule: (number: Int32, floats: Bool)? {
        guard case .wallClock(.calendar(_, let number, let floats), _) = timing else { return nil }
        return (number, floats)
    }

    /// Whether its dates follow the system's zone.
    var followsSystemZone: Bool {
        guard case .wallClock(let source, _) = timing else { return false }
        return source.followsSystemZone
    }

    /// - Parameter rules: the table of calendar rules that requests share.
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
        // Belfry's own kinds first: dynamic casts to protocols take longer than everything else here.
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

    /// Returns the microseconds from the anchor of an elapsed time to the next firing, limited so that dates can't
    /// overflow.
    static func span(_ interval: Int64, startsNow: Bool, fired: Int) -> Int64 {
        let (product, overflow) = interval.multipliedReportingOverflow(by: Int64(fired) + (startsNow ? 0 : 1))
        return overflow ? .max / 4 : min(product, .max / 4)
    }
}
