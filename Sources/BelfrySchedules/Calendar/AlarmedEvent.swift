import Belfry
import BelfryRecurrence
import FoundationEssentials

/// The common data of the alarms of one event or task in an iCalendar file.
struct AlarmedEvent {
    let component: CalendarFile.Component
    let uid: String
    /// The lines with its dates and texts, which are part of each notice.
    let described: [CalendarLine]
    private let start: CalendarTime
    /// The duration from the start to the end.
    let length: RecurrenceTrigger.Offset
    /// The lines RRULE, RDATE and EXDATE; empty for an event that occurs once.
    private(set) var rule: [String] = []
    /// The start of the rule: the event's start, unless the event has the later occurrences of another one.
    private(set) var ruleStart: CalendarTime
    /// The offset from the rule's occurrences to the event's.
    private(set) var shift = RecurrenceTrigger.Offset()
    /// Whether the rule has dates with a length of their own (periods in RDATE).
    private(set) var hasPeriods = false
    /// The first and the last occurrence of the rule that belong to the event, if others have the rest.
    private(set) var starting: Date?
    private(set) var until: Date?
    /// A trigger at the occurrences. The alarms share its compiled rule, because compiling may take long.
    private(set) lazy var occurrences = makeOccurrences()

    /// What the dates of its alarms depend on besides its own lines, in which a zone is only a name.
    var meaning: [String] {
        let offsets = [length, shift].map { "\($0.days) \($0.seconds)" }
        let bounds = [starting, until].compactMap { $0.map { "\($0.timeIntervalSince1970)" } }
        return [ruleStart.line("DTSTART")] + rule + offsets + bounds
    }

    /// - Parameter room: The number of bytes that the notices of this and all later events may copy.
    init(
        _ component: CalendarFile.Component,
        _ changes: CalendarChanges,
        in zones: CalendarZones,
        room: inout Int,
        _ collector: DiagnosticCollector
    ) throws(CalendarError) {
        guard let uid = component.line("UID")?.value, !uid.isEmpty else {
            throw component.error("UID", "is missing; an event needs one, so that it can be identified")
        }
        self.component = component
        self.uid = uid
        described = ["DTSTART", "DTEND", "DUE", "DURATION", "SUMMARY", "LOCATION"].compactMap { component.line($0) }
        let identity = ["UID", "RECURRENCE-ID"].compactMap { component.line($0) }
        try component.take(described + identity, from: &room)
        for alarm in component.parts {
            try component.take(alarm.all("DESCRIPTION"), for: alarm.noticeCount, from: &room)
        }
        start = try Self.start(of: component, zones)
        ruleStart = start
        if let line = component.end {
            let end = try CalendarTime(line, of: component.kind, in: zones)
            let days = Int((end.local.secondsAtUTC - start.local.secondsAtUTC) / 86_400)
            let seconds = Int(end.instant.timeIntervalSince(start.instant))
            length = start.isDate ? .init(days: days) : .init(seconds: seconds)
        } else if let line = component.line("DURATION") {
            length = try .init(line, of: component.kind, example: "PT1H")
        } else {
            length = RecurrenceTrigger.Offset(days: start.isDate && component.kind == "VEVENT" ? 1 : 0)
        }
        try readRule(zones, changes, room: &room, collector)
    }

    /// Returns the time from which the alarms of an event or a task count.
    static func start(
        of component: CalendarFile.Component,
        _ zones: CalendarZones
    ) throws(CalendarError) -> CalendarTime {
        // A task may have only an end, or only alarms with dates of their own.
        let triggers = component.parts.compactMap { $0.line("TRIGGER") }
        let ownDate = triggers.allSatisfy(\.isDateTime) ? triggers.first : nil
        guard let line = component.line("DTSTART") ?? component.end ?? ownDate else {
            throw component.error("DTSTART", "is missing; an alarm counts from it")
        }
        return try CalendarTime(line, of: component.kind, in: zones)
    }

    /// Reads the rule of the event, or of the one whose later occurrences it has.
    private mutating func readRule(
        _ zones: CalendarZones,
        _ changes: CalendarChanges,
        room: inout Int,
        _ collector: DiagnosticCollector
    ) throws(CalendarError) {
        var source = component
        let series = component.series
        if let line = source.line("RECURRENCE-ID") {
            guard source.isOnward else { return }
            let turn = changes.occurrence(at: try CalendarTime(line, of: source.kind, in: zones), of: series)
            until = changes.end(of: series, since: turn.instant)
            if let whole = changes.whole(of: source), let wholeStart = changes.starts[series] {
                source = whole
                ruleStart = try wholeStart.get()
                starting = turn.instant
                shift = RecurrenceTrigger.Offset(from: turn, to: start, onClockOf: ruleStart)
            }
        } else {
            until = changes.end(of: series, since: nil)
        }
        guard source.line("EXRULE") == nil else {
            throw source.error("EXRULE", "is no longer part of iCalendar; write the dates that it excludes as EXDATE")
        }
        let (rules, additions) = (source.all("RRULE"), source.all("RDATE"))
        let occursOnce = rules.isEmpty && additions.isEmpty
        // An EXDATE alone leaves nothing out, and is no rule.
        let exceptions = occursOnce ? [] : source.all("EXDATE") + (changes.exceptions[series] ?? [])
        // Before the dates are read: events with one UID may share a long list.
        try component.take(rules + additions + exceptions, from: &room)
        rule = rules.map { "RRULE:" + (ruleStart.isDate ? Self.withoutTimes($0.value) : $0.value) }
        for line in additions + exceptions {
            let name = line.name == "RDATE" ? line.name : "EXDATE"
            // A RECURRENCE-ID is one value, which is an error if it is empty: its occurrence would fire twice.
            let values = line.name == "RECURRENCE-ID" ? [line.value[...]] : line.value.split(separator: ",")
            for value in values {
                // Only the beginning of a period counts.
                let (date, end) = value.halves(at: "/")
                if end != nil { hasPeriods = true }
                do throws(CalendarError) {
                    let time = try CalendarTime(line, String(date), of: source.kind, in: zones)
                    rule.append(ruleStart.at(time).line(name))
                } catch { collector.add(error.message, at: error.path, error.offset) }
            }
        }
    }

    private func makeOccurrences() -> Result<RecurrenceTrigger, NoticeError> {
        let rule = rule.isEmpty ? ["RRULE:FREQ=DAILY;COUNT=1"] : rule
        return Result { () throws(NoticeError) in
            try RecurrenceTrigger(
                .rrule(([ruleStart.line("DTSTART")] + rule).joined(separator: "\n")),
                zone: ruleStart.zone.map { .named($0.identifier) } ?? .floating,
                starting: starting,
                until: until
            )
        }
    }

    /// Returns a rule without the parts that are ignored beside a bare date (RFC 5545, 3.3.10).
    private static func withoutTimes(_ rule: String) -> String {
        rule.split(separator: ";", omittingEmptySubsequences: false)
            .filter { !["BYHOUR", "BYMINUTE", "BYSECOND"].contains($0.halves(at: "=").0.uppercased()) }
            .joined(separator: ";")
    }
}

extension CalendarFile.Component {
    /// Takes the copies of some lines from the room that is left.
    ///
    /// - Parameter count: The number of notices that have a copy; nil for all of the event.
    fileprivate func take(
        _ lines: [CalendarLine],
        for count: Int? = nil,
        from room: inout Int
    ) throws(CalendarError) {
        // An empty line costs time as well.
        let size = lines.reduce(0) { $0 + $1.size + 1 } * (count ?? noticeCount)
        guard size <= room else {
            throw CalendarError(
                message: "has too long a rule or text; each notice has a copy, and a calendar's copies may have 4 MiB",
                path: (line("UID")?.value ?? "").clipped,
                offset: offset
            )
        }
        room -= size
    }

    /// Returns an error about a line, or about one that is missing.
    fileprivate func error(_ name: String, _ message: String) -> CalendarError {
        CalendarError(message: message, path: "\(kind).\(name)", offset: line(name)?.offset ?? offset)
    }
}
