import Belfry
import BelfryRecurrence
import FoundationEssentials

/// The common data of the alarms of one event or task in an iCalendar file.
struct AlarmedEvent {
    let component: CalendarFile.Component
    let uid: String
    private let start: CalendarTime
    /// The duration from the start to the end.
    let length: CalendarDuration
    /// The lines RRULE, RDATE and EXDATE; empty for an event that occurs once.
    private(set) var rule: [String] = []
    /// The start of the rule: the event's start, unless the event has the later occurrences of another one.
    private(set) var ruleStart: CalendarTime
    /// The offset from the rule's occurrences to the event's.
    private(set) var shift = CalendarDuration()
    /// The first and the last occurrence of the rule that belong to the event, if others have the rest.
    private(set) var starting: Date?
    private(set) var until: Date?

    /// Nil if it has dates that don't exist on any clock.
    init?(
        _ component: CalendarFile.Component,
        in file: CalendarFile,
        _ changes: CalendarChanges,
        or system: ZoneRules,
        _ collector: DiagnosticCollector
    ) throws(CalendarError) {
        let path = component.kind
        guard let uid = component.line("UID")?.value, !uid.isEmpty else {
            let message = "is missing; an event needs one, so that it can be told from others"
            throw CalendarError(message: message, path: "\(path).UID", offset: component.offset)
        }
        self.component = component
        self.uid = uid
        start = try Self.start(of: component, file.zones)
        ruleStart = start
        if let line = component.end {
            let end = try CalendarTime.read(line, of: path, in: file.zones)
            guard let from = start.instant(or: system), let to = end.instant(or: system) else { return nil }
            let days = Int((end.local.secondsAtUTC - start.local.secondsAtUTC) / 86_400)
            length = start.isDate ? .init(days: days) : .init(seconds: Int(to.timeIntervalSince(from)))
        } else if let line = component.line("DURATION") {
            guard let duration = CalendarDuration(line.value) else {
                let message = "'\(line.value.clipped)' is no duration such as PT1H"
                throw CalendarError(message: message, path: "\(path).DURATION", offset: line.offset)
            }
            length = duration
        } else {
            length = CalendarDuration(days: start.isDate && component.kind == "VEVENT" ? 1 : 0)
        }
        guard try readRule(file.zones, changes, system, collector) else { return nil }
    }

    private static func start(
        of component: CalendarFile.Component,
        _ zones: CalendarZones
    ) throws(CalendarError) -> CalendarTime {
        // A task may have only an end.
        guard let line = component.line("DTSTART") ?? component.end else {
            let path = "\(component.kind).DTSTART"
            throw CalendarError(message: "is missing; an alarm counts from it", path: path, offset: component.offset)
        }
        return try CalendarTime.read(line, of: component.kind, in: zones)
    }

    /// Reads the rule of the event, or of the one whose later occurrences it has. False if its date doesn't exist.
    private mutating func readRule(
        _ zones: CalendarZones,
        _ changes: CalendarChanges,
        _ system: ZoneRules,
        _ collector: DiagnosticCollector
    ) throws(CalendarError) -> Bool {
        var source = component
        if let line = source.line("RECURRENCE-ID") {
            guard source.isOnward else { return true }
            let turn = try CalendarTime.read(line, of: source.kind, in: zones)
            guard let date = turn.instant(or: system) else { return false }
            until = changes.end(of: uid, since: date)
            if let whole = changes.whole(of: source) {
                source = whole
                ruleStart = try Self.start(of: whole, zones)
                starting = date
                shift = CalendarDuration(from: turn, to: start, or: system)
            }
        } else {
            until = changes.end(of: uid, since: nil)
        }
        rule = source.all("RRULE").map { "RRULE:\($0.value)" }
        for line in source.all("RDATE") + source.all("EXDATE") {
            for value in line.value.split(separator: ",") {
                // Only the beginning of a period counts.
                let date = value.split(separator: "/").first.map(String.init) ?? ""
                do throws(CalendarError) {
                    let time = try CalendarTime.read(line, date, of: "", in: zones)
                    // A bare date is that day at the event's time of day.
                    rule.append((time.isDate ? ruleStart.on(time.local) : time).line(line.name))
                } catch { collector.add(error.message, at: line.name, error.offset) }
            }
        }
        if !rule.isEmpty { rule += changes.exceptions[uid] ?? [] }
        return true
    }
}
