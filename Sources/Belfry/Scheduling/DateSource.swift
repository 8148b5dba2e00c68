import BelfryRecurrence
import FoundationEssentials

/// The source of a wall-clock entry's dates: a trigger in a small, compiled form that can be queried millions of times.
enum DateSource: Sendable {
    /// A single date, in microseconds since 1970.
    case date(Int64)
    /// A rule with its number in the schedule's ``RuleTable``. `floats` repeats whether it follows the system's zone,
    /// so that replanning a million entries doesn't read the rules.
    case calendar(CalendarRule, number: Int32, floats: Bool)
    /// A trigger of any other kind, in one word.
    case other(Shared<any WallClockTrigger>)

    init(_ trigger: some WallClockTrigger, sharing rules: inout RuleTable) {
        if let trigger = trigger as? DateTrigger {
            self = .date(trigger.date.microsecondsSince1970)
        } else if let rule = (trigger as? CalendarTrigger)?.rule {
            let (shared, number) = rules.shared(rule)
            self = .calendar(shared, number: number, floats: shared.zone == .floating)
        } else {
            self = .other(Shared<any WallClockTrigger>(trigger))
        }
    }

    var followsSystemZone: Bool {
        switch self {
        case .date: false
        case .calendar(_, _, let floats): floats
        case .other(let other): other.value.followsSystemZone
        }
    }

    /// The policies for local times that a clock change skips or repeats. A standard notation has the defaults.
    var policies: DatePolicies {
        switch self {
        case .date: DatePolicies()
        case .calendar(let rule, _, _): rule.policies
        case .other(let other): (other.value as? CalendarTrigger)?.policies ?? DatePolicies()
        }
    }

    /// The last instant that its dates may have; nil without such a bound. A shared rule has none.
    var end: Date? {
        guard case .other(let other) = self else { return nil }
        return (other.value as? CalendarTrigger)?.options.until ?? (other.value as? RecurrenceTrigger)?.until
    }

    /// Returns the first date after an instant, both in microseconds since 1970. A custom trigger may return a date
    /// that is not after it.
    func next(after instant: Int64, in context: TriggerContext) -> Int64? {
        switch self {
        case .date(let date): date > instant ? date : nil
        case .calendar(let rule, _, _): rule.next(after: instant, in: context.zone)
        case .other(let other):
            other.value.nextDate(after: Date(microsecondsSince1970: instant), in: context)?.microsecondsSince1970
        }
    }

    var kind: TriggerKind {
        switch self {
        case .date: DateTrigger.kind
        case .calendar: CalendarTrigger.kind
        case .other(let other): type(of: other.value).kind
        }
    }
}
