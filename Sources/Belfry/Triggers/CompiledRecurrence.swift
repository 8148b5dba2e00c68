import BelfryRecurrence
import Synchronization

/// The compiled rule of a recurrence trigger: its notation is parsed once, and compiled once for each time zone.
///
/// It is shared by all copies of the trigger. Compiling a rule may take milliseconds (a COUNT is looked up date by
/// date). A trigger needs it at each of its firings and each time the clock is set.
final class CompiledRecurrence: Sendable {
    private enum Notation {
        case rrule(RRule)
        case cron(CronExpression)
        case onCalendar(CalendarExpression)
    }

    /// The time zones that a compiled rule depends on. They are equal as long as the zone data on disk is unchanged.
    private struct Zones: Equatable {
        /// The zone of local times.
        var local: ZoneRules
        /// The zones that the rule names itself.
        var named: [ZoneRules]
    }

    private struct State {
        /// The patterns used last, the latest at the end: compiling ahead for another zone keeps the previous one.
        var known: [(zones: Zones, pattern: any RecurrencePattern)] = []
        var compilationCount = 0
    }

    private let rule: RecurrenceTrigger.Rule
    private let zone: ZoneReference
    /// Seconds since 1970; used as DTSTART if an RRULE has none.
    private let start: Int64?
    private let notation: Result<Notation, RecurrenceError>
    private let namedZones: [String]
    private let state = Mutex(State())

    init(_ rule: RecurrenceTrigger.Rule, zone: ZoneReference, start: Int64?) {
        self.rule = rule
        self.zone = zone
        self.start = start
        notation = Result { () throws(RecurrenceError) in try Self.read(rule) }
        namedZones =
            switch notation {
            case .success(.rrule(let rule)): rule.namedZones
            case .success(.onCalendar(let expression)): expression.zone.map { [$0] } ?? []
            case .success(.cron), .failure: []
            }
    }

    private static func read(_ rule: RecurrenceTrigger.Rule) throws(RecurrenceError) -> Notation {
        switch rule {
        case .rrule(let text): .rrule(try RRule(parsing: text))
        case .cron(let text): .cron(try CronExpression(parsing: text))
        case .onCalendar(let text): .onCalendar(try CalendarExpression(parsing: text))
        }
    }

    /// Whether the rule's text specifies the time zone of its dates.
    var namesZone: Bool {
        switch notation {
        case .success(.rrule(let rule)): rule.start.map { $0.clock != .local } ?? false
        case .success(.onCalendar(let expression)): expression.zone != nil
        case .success(.cron), .failure: false
        }
    }

    /// How often the rule has been compiled: once, and again after each change of its zones or of their data.
    var compilationCount: Int { state.withLock(\.compilationCount) }

    private static let knownLimit = 2

    /// Returns the rule for the current zones. O(1) unless one of them has changed since the last call.
    func pattern(in systemZone: ZoneRules) throws(RecurrenceError) -> any RecurrencePattern {
        var zones = Zones(local: try zone.rules(or: systemZone), named: [])
        for name in namedZones { zones.named.append(try ZoneRules.named(name)) }
        if let known = state.withLock({ $0.known.last { $0.zones == zones }?.pattern }) { return known }
        let pattern = try compiled(zones.local)
        state.withLock { state in
            if state.known.count == Self.knownLimit { state.known.removeFirst() }
            state.known.append((zones, pattern))
            state.compilationCount += 1
        }
        return pattern
    }

    private func compiled(_ zone: ZoneRules) throws(RecurrenceError) -> any RecurrencePattern {
        switch try notation.get() {
        case .rrule(let rule): try rule.compiled(start: start, zone: zone)
        case .cron(let expression): expression.compiled(zone: zone)
        case .onCalendar(let expression): try expression.compiled(zone: zone)
        }
    }
}

extension CompiledRecurrence: Hashable {
    /// Two rules are equal if they have the same text, zone and start.
    static func == (left: CompiledRecurrence, right: CompiledRecurrence) -> Bool {
        left === right || left.rule == right.rule && left.zone == right.zone && left.start == right.start
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(rule)
        hasher.combine(zone)
        hasher.combine(start)
    }
}
