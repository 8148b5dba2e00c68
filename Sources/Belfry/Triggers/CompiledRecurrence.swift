import BelfryRecurrence
import Synchronization

/// The rule of a trigger that takes long to compile: its notation is parsed once, and compiled once for each time zone.
///
/// It is shared by all copies of the trigger. Compiling a rule may take seconds (a COUNT is looked up date by date). A
/// trigger needs it at each of its firings and each time the clock is set.
final class CompiledRecurrence: Sendable {
    typealias Compile = @Sendable (ZoneRules) throws(RecurrenceError) -> any RecurrencePattern

    /// What the trigger needs of a rule, whatever its notation.
    private struct Notation: Sendable {
        /// The zones that the rule names itself.
        let namedZones: [String]
        /// The clock of the dates; local if the rule's text specifies no time zone.
        let clock: RRule.DateValue.Clock
        let compile: Compile

        init(_ compile: @escaping Compile) {
            namedZones = []
            clock = .local
            self.compile = compile
        }

        init(_ rule: RecurrenceTrigger.Rule, start: Int64?) throws(RecurrenceError) {
            switch rule {
            case .rrule(let text):
                let rule = try RRule(parsing: text)
                namedZones = rule.namedZones
                clock = rule.start?.clock ?? .local
                compile = { zone throws(RecurrenceError) in try rule.compiled(start: start, zone: zone) }
            case .cron(let text):
                let expression = try CronExpression(parsing: text)
                namedZones = []
                clock = .local
                compile = { expression.compiled(zone: $0) }
            case .onCalendar(let text):
                let expression = try CalendarExpression(parsing: text)
                namedZones = expression.zone.map { [$0] } ?? []
                clock = expression.zone.map { .zone($0) } ?? .local
                compile = { zone throws(RecurrenceError) in try expression.compiled(zone: zone) }
            }
        }
    }

    private struct State {
        /// The patterns used last, the latest at the end: compiling ahead for another zone keeps the previous one. The
        /// zones are that of local times, followed by those that the rule names itself. They are equal as long as the
        /// zone data on disk is unchanged.
        var known: [(zones: [ZoneRules], pattern: any RecurrencePattern)] = []
        var compilationCount = 0
    }

    private let zone: ZoneReference
    private let notation: Result<Notation, RecurrenceError>
    private let state = Mutex(State())

    /// - Parameter start: Seconds since 1970; used as DTSTART if an RRULE has none.
    init(_ rule: RecurrenceTrigger.Rule, zone: ZoneReference, start: Int64?) {
        self.zone = zone
        notation = Result { () throws(RecurrenceError) in try Notation(rule, start: start) }
    }

    /// Creates a rule without a text.
    init(zone: ZoneReference, _ compile: @escaping Compile) {
        self.zone = zone
        notation = .success(Notation(compile))
    }

    /// Whether the rule's text specifies the time zone of its dates.
    var namesZone: Bool { (try? notation.get().clock != .local) ?? false }

    /// How often the rule has been compiled: once, and again after each change of its zones or of their data.
    var compilationCount: Int { state.withLock(\.compilationCount) }

    private static let knownLimit = 2

    /// Returns the zone of the dates: the one that the rule's text specifies, or else the trigger's.
    func zone(in systemZone: ZoneRules) throws(RecurrenceError) -> ZoneRules {
        try notation.get().clock.rules(or: try zone.rules(or: systemZone))
    }

    /// Returns the rule for the current zones. O(1) unless one of them has changed since the last call.
    func pattern(in systemZone: ZoneRules) throws(RecurrenceError) -> any RecurrencePattern {
        var zones = [try zone.rules(or: systemZone)]
        let notation = try notation.get()
        for name in notation.namedZones { zones.append(try ZoneRules.named(name)) }
        if let known = state.withLock({ $0.known.last { $0.zones == zones }?.pattern }) { return known }
        let pattern = try notation.compile(zones[0])
        state.withLock { state in
            if state.known.count == Self.knownLimit { state.known.removeFirst() }
            state.known.append((zones, pattern))
            state.compilationCount += 1
        }
        return pattern
    }
}

extension NoticeTrigger {
    /// The rule that takes long to compile; nil for all other triggers.
    var compiledRecurrence: CompiledRecurrence? {
        switch self {
        case let trigger as RecurrenceTrigger: trigger.dates
        case let trigger as CalendarTrigger: trigger.dates
        default: nil
        }
    }
}

extension CompiledRecurrence: Hashable {
    /// Always true: it is derived from the trigger's rule, zone and start, which the trigger compares.
    static func == (left: CompiledRecurrence, right: CompiledRecurrence) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
