import Belfry
import BelfryRecurrence
import FoundationEssentials

/// The occurrences of events that have an event of their own (RECURRENCE-ID, RFC 5545, 3.8.4.4): one, or one and all
/// that follow it (RANGE=THISANDFUTURE).
struct CalendarChanges {
    /// By the events' UID: what leaves single occurrences out of a rule.
    private(set) var exceptions: [String: [String]] = [:]
    /// By the events' UID: from when on another event has the occurrences, in ascending order.
    private var turns: [String: [Date]] = [:]
    /// The events that have rules, by their UID.
    private var wholes: [String: CalendarFile.Component] = [:]

    init(_ file: CalendarFile, or system: ZoneRules) {
        for event in file.events {
            guard let uid = event.line("UID")?.value else { continue }
            guard let line = event.line("RECURRENCE-ID") else {
                wholes[uid] = event
                continue
            }
            guard let time = try? CalendarTime.read(line, of: "", in: file.zones) else { continue }
            if event.isOnward {
                if let turn = time.instant(or: system) { turns[uid, default: []].append(turn) }
            } else {
                exceptions[uid, default: []].append(time.line("EXDATE"))
            }
        }
        for uid in turns.keys { turns[uid]?.sort() }
    }

    /// The event of which an event has the rest; nil where it is a whole itself.
    func whole(of event: CalendarFile.Component) -> CalendarFile.Component? {
        guard event.isOnward, event.all("RRULE").isEmpty else { return nil }
        return event.line("UID").flatMap { wholes[$0.value] }
    }

    /// The last second before the next event has the occurrences; nil where none follows.
    /// - Parameter turn: from when on this event has them; nil for the first one.
    func end(of uid: String, since turn: Date?) -> Date? {
        turns[uid]?.first { $0 > turn ?? .distantPast }?.addingTimeInterval(-1)
    }
}

extension CalendarFile.Component {
    /// Whether it is one occurrence of an event and all that follow it.
    var isOnward: Bool { line("RECURRENCE-ID")?.parameters["RANGE"]?.uppercased() == "THISANDFUTURE" }

    /// The line with its end.
    var end: CalendarLine? { line(kind == "VTODO" ? "DUE" : "DTEND") }

    /// Why its alarms don't count; nil where they do.
    var endReason: String? {
        let status = line("STATUS")?.value.trimmed.uppercased()
        if status == "CANCELLED" { return "cancelled" }
        guard kind == "VTODO" else { return nil }
        let isDone = status == "COMPLETED" || line("COMPLETED") != nil
        return isDone || line("PERCENT-COMPLETE")?.value.trimmed == "100" ? "completed" : nil
    }
}
