import Foundation

/// What the schedule knows of a pending request: enough to decide when, nothing of what is shown.
///
/// There may be a million of them: an entry has 120 bytes, and what most requests have in common is shared.
struct ScheduleEntry: Sendable, Identifiable {
    enum Timing: Sendable {
        /// Due as soon as the center runs.
        case immediate
        /// Counted on the boot clock; `times` is never below 1.
        case elapsed(interval: Int64, startsNow: Bool, times: Int)
        case wallClock(DateSource, times: Int)
        /// Waits for no time: an unknown kind.
        case dormant
    }

    let id: String
    /// Unique, rising with each add: the order of ties, and the name of the content in the store.
    var revision: Int64
    private let treatment: RequestTraits
    var progress: TriggerProgress
    /// Microseconds on the clock of the timing; nil where it waits for no time.
    var deadline: Int64?
    var timing: Timing

    var level: InterruptionLevel { treatment.level }
    var relevance: Double { treatment.relevance }
    var traits: DeliveryTraits { treatment.delivery }
    var series: String? { treatment.delivery.series }

    /// Whether there may be more than one firing.
    var repeats: Bool {
        switch timing {
        case .immediate, .dormant: false
        case .elapsed(_, _, let times), .wallClock(_, let times): times > 1
        }
    }

    /// Whether the deadline is one of the boot clock.
    var waitsOnBootClock: Bool {
        switch timing {
        case .immediate, .elapsed: true
        case .wallClock, .dormant: false
        }
    }

    /// The number of the entry's calendar rule, and whether that follows the system's zone; nil where it has none. Read
    /// without a look at the rule itself, which lies elsewhere in memory.
    var rule: (number: Int32, floats: Bool)? {
        guard case .wallClock(.calendar(_, let number, let floats), _) = timing else { return nil }
        return (number, floats)
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
        guard let trigger else {
            self = .immediate
            return
        }
        // Belfry's own kinds by their type: to find out which protocol a stranger conforms to takes longer than all the rest.
        let type = type(of: trigger)
        if type == CalendarTrigger.self, let trigger = trigger as? CalendarTrigger {
            self = .wallClock(trigger, sharing: &rules)
        } else if type == DateTrigger.self, let trigger = trigger as? DateTrigger {
            self = .wallClock(trigger, sharing: &rules)
        } else if type == IntervalTrigger.self, let trigger = trigger as? IntervalTrigger {
            self = .elapsed(trigger)
        } else if type == ImmediateTrigger.self {
            self = .immediate
        } else if let trigger = trigger as? any ElapsedTimeTrigger {
            self = .elapsed(trigger)
        } else if let trigger = trigger as? any WallClockTrigger {
            self = .wallClock(trigger, sharing: &rules)
        } else {
            self = .dormant
        }
    }

    private static func wallClock(_ trigger: some WallClockTrigger, sharing rules: inout RuleTable) -> Self {
        .wallClock(DateSource(trigger, sharing: &rules), times: trigger.repeats ? trigger.times ?? .max : 1)
    }

    static func elapsed(_ trigger: some ElapsedTimeTrigger) -> Self {
        .elapsed(
            interval: max(1, trigger.interval.microseconds),
            startsNow: trigger.startsNow,
            times: trigger.repeats ? trigger.times ?? .max : 1
        )
    }
}

/// What the schedule knows of an identifier's notices: the one on the screen and the one on its way there.
struct NoticeState: Sendable, Identifiable {
    /// A notice that stands on the screen.
    struct Standing: Sendable {
        var deliveryID: String
        var revision: Int64
        var dueAt: TriggerInstant
        var shownAt: TriggerInstant
        var receipt: DeliveryReceipt
        var traits: DeliveryTraits
        var isAnswered = false
    }

    /// A due time that is to be shown; in the store as a delivery from the moment it is due.
    struct Occurrence: Sendable {
        let deliveryID: String
        var revision: Int64
        var dueAt: TriggerInstant
        var traits: DeliveryTraits
        /// The caller who waits for the outcome; such a delivery is tried once.
        var ticket: Ticket?
    }

    /// A delivery under way or waiting to be tried again.
    struct Coming: Sendable {
        var occurrence: Occurrence
        var attempt = 1
        /// Nil while the backend works; else when to try again, on the boot clock.
        var retryAt: Int64?
        var isPossiblyRepeated = false
        /// The latest due time that came in the meantime.
        var queued: Occurrence?
        /// Who waits for this delivery to be gone; not nil means that it is not wanted any more, and that the store has
        /// forgotten it.
        var cancelledBy: [Ticket]?

        var deliveryID: String { occurrence.deliveryID }
    }

    /// The request's identifier.
    let id: String
    var standing: Standing?
    var coming: Coming?

    init(id: String) { self.id = id }

    /// The contents that are still needed.
    var revisions: [Int64] {
        let wanted = coming?.cancelledBy == nil ? coming?.occurrence.revision : nil
        return [standing?.revision, wanted, coming?.queued?.revision].compactMap { $0 }
    }

    /// The series that its notices belong to: more than one only where the identifier was used anew.
    var seriesBases: [String] {
        guard standing?.traits.series != nil || coming?.occurrence.traits.series != nil || coming?.queued != nil else {
            return []
        }
        return [standing?.traits.series, coming?.occurrence.traits.series, coming?.queued?.traits.series]
            .compactMap { $0 }
    }
}

/// A caller that waits for an answer.
typealias Ticket = UInt64
