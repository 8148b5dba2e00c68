import Belfry
import BelfryRecurrence
import FoundationEssentials

/// The occurrences of events that have an event of their own (RECURRENCE-ID, RFC 5545, 3.8.4.4): a single one, or one
/// and all that follow it (RANGE=THISANDFUTURE).
struct CalendarChanges {
    /// The RECURRENCE-IDs of single occurrences, which a rule excludes, by the events' UID.
    private(set) var exceptions: [String: [CalendarLine]] = [:]
    /// The dates from which another event has the occurrences, ascending, by the events' UID.
    private var turns: [String: [Date]] = [:]
    /// The events without a RECURRENCE-ID, which have the rules, by their UID.
    private var wholes: [String: CalendarFile.Component] = [:]
    /// The starts of those whose later occurrences others have.
    private var starts: [String: CalendarTime] = [:]

    init(_ file: CalendarFile) {
        var onwards: [String: [CalendarTime]] = [:]
        for event in file.events {
            guard let uid = event.line("UID")?.value else { continue }
            guard let line = event.line("RECURRENCE-ID") else {
                wholes[uid] = event
                continue
            }
            // One that can't be read is reported where the exceptions of the rule are read.
            if event.isOnward, let time = try? CalendarTime(line, of: "", in: file.zones) {
                onwards[uid, default: []].append(time)
            } else {
                exceptions[uid, default: []].append(line)
            }
        }
        for (uid, times) in onwards {
            // One that can't be read is reported where the rule is read.
            starts[uid] = wholes[uid].flatMap { try? AlarmedEvent.start(of: $0, file.zones) }
            turns[uid] = times.map { occurrence(at: $0, of: uid).instant }.sorted()
        }
    }

    /// Returns the occurrence of an event that a time names, which may be a bare date.
    func occurrence(at time: CalendarTime, of uid: String) -> CalendarTime { starts[uid]?.at(time) ?? time }

    /// The event whose later occurrences an event has; nil if it has its own rule.
    func whole(of event: CalendarFile.Component) -> CalendarFile.Component? {
        guard event.isOnward, event.all("RRULE").isEmpty else { return nil }
        return event.line("UID").flatMap { wholes[$0.value] }
    }

    /// Returns the reason to ignore an event's alarms; nil if they count. A cancellation of a whole event is one of its
    /// changed occurrences as well (RFC 5546, 3.2.5), unless one was sent later.
    func endReason(of event: CalendarFile.Component) -> String? {
        if let whole = event.line("UID").flatMap({ wholes[$0.value] }), whole.isInCancellation,
            whole.stamp >= event.stamp
        {
            return "canceled"
        }
        return event.endReason
    }

    /// The last second before the next event takes over the occurrences; nil if none follows.
    /// - Parameter turn: the date from which this event has them; nil for the first one.
    func end(of uid: String, since turn: Date?) -> Date? {
        guard let turns = turns[uid] else { return nil }
        let next = turns.partitionPoint { $0 > turn ?? .distantPast }
        return next < turns.count ? turns[next].addingTimeInterval(-1) : nil
    }
}

extension CalendarFile.Component {
    /// Whether it is one occurrence of an event and all that follow it.
    var isOnward: Bool { line("RECURRENCE-ID")?.parameters["RANGE"]?.uppercased() == "THISANDFUTURE" }

    /// The line with the end of an event (DTEND) or a task (DUE).
    var end: CalendarLine? { line(kind == "VTODO" ? "DUE" : "DTEND") }

    /// The reason in its own lines and its calendar to ignore its alarms; nil if they count.
    fileprivate var endReason: String? {
        let status = line("STATUS")?.value.uppercased()
        if isInCancellation || status == "CANCELLED" { return "canceled" }
        guard kind == "VTODO" else { return nil }
        let isDone = status == "COMPLETED" || line("COMPLETED") != nil
        return isDone || line("PERCENT-COMPLETE")?.value == "100" ? "completed" : nil
    }
}
