import Belfry
import BelfryRecurrence
import FoundationEssentials

/// The occurrences of events that have an event of their own (RECURRENCE-ID, RFC 5545, 3.8.4.4): a single one, or one
/// and all that follow it (RANGE=THISANDFUTURE).
struct CalendarChanges {
    /// The RECURRENCE-IDs of single occurrences, which a rule excludes, by the events' series.
    private(set) var exceptions: [String: [CalendarLine]] = [:]
    /// The dates from which another event has the occurrences, ascending, by the events' series.
    private var turns: [String: [Date]] = [:]
    /// The events without a RECURRENCE-ID, which have the rules, by their series.
    private var wholes: [String: CalendarFile.Component] = [:]
    /// The starts of those whose later occurrences others have, or what is wrong with them. Each is read once, because
    /// it may be that of thousands of events.
    private(set) var starts: [String: Result<CalendarTime, CalendarError>] = [:]
    /// The dates from which all occurrences are canceled, ascending, by the events' series. Each has the latest time at
    /// which its cancellation or one from an earlier date was sent.
    private var cancellations: [String: [(turn: Date, stamp: String)]] = [:]
    private let zones: CalendarZones

    init(_ file: CalendarFile) {
        zones = file.zones
        var onwards: [String: [(time: CalendarTime, event: CalendarFile.Component)]] = [:]
        for event in file.events {
            guard event.line("UID") != nil else { continue }
            let series = event.series
            guard let line = event.line("RECURRENCE-ID") else {
                wholes[series] = event
                continue
            }
            // One that can't be read is reported where the exceptions of the rule are read.
            if event.isOnward, let time = try? CalendarTime(line, of: "", in: file.zones) {
                onwards[series, default: []].append((time, event))
            } else {
                exceptions[series, default: []].append(line)
            }
        }
        for (series, rests) in onwards {
            starts[series] = wholes[series].map { whole in
                Result { () throws(CalendarError) in try AlarmedEvent.start(of: whole, file.zones) }
            }
            let dated = rests.map { (turn: occurrence(at: $0.time, of: series).instant, event: $0.event) }
                .sorted { $0.turn < $1.turn }
            turns[series] = dated.map(\.turn)
            var stamp = ""
            for rest in dated where rest.event.isInCancellation {
                stamp = max(stamp, rest.event.stamp)
                cancellations[series, default: []].append((rest.turn, stamp))
            }
        }
    }

    /// Returns the occurrence of a series that a time names, which may be a bare date.
    func occurrence(at time: CalendarTime, of series: String) -> CalendarTime {
        (try? starts[series]?.get())?.at(time) ?? time
    }

    /// The event whose later occurrences an event has; nil if it has its own rule.
    func whole(of event: CalendarFile.Component) -> CalendarFile.Component? {
        guard event.isOnward, event.all("RRULE").isEmpty else { return nil }
        return wholes[event.series]
    }

    /// Returns the reason to ignore an event's alarms; nil if they count. A cancellation of a whole event, or of one
    /// occurrence and all that follow it, is one of its changed occurrences as well (RFC 5546, 3.2.5), unless one was
    /// sent later.
    func endReason(of event: CalendarFile.Component) -> String? {
        if let whole = wholes[event.series], whole.isInCancellation, whole.stamp >= event.stamp { return "canceled" }
        if let stamp = cancellation(of: event), stamp >= event.stamp { return "canceled" }
        return event.endReason
    }

    /// Returns when the last cancellation was sent that has a changed occurrence among those that follow its own; nil
    /// if there is none.
    private func cancellation(of event: CalendarFile.Component) -> String? {
        guard let cancellations = cancellations[event.series], let line = event.line("RECURRENCE-ID"),
            let time = try? CalendarTime(line, of: "", in: zones)
        else { return nil }
        let date = occurrence(at: time, of: event.series).instant
        let next = cancellations.partitionPoint { $0.turn > date }
        return next > 0 ? cancellations[next - 1].stamp : nil
    }

    /// The last second before the next event takes over the occurrences; nil if none follows.
    /// - Parameter turn: the date from which this event has them; nil for the first one.
    func end(of series: String, since turn: Date?) -> Date? {
        guard let turns = turns[series] else { return nil }
        let next = turns.partitionPoint { $0 > turn ?? .distantPast }
        return next < turns.count ? turns[next].addingTimeInterval(-1) : nil
    }
}

extension CalendarFile.Component {
    /// What an event has in common with its changed occurrences. A task with the same UID is none of them.
    var series: String { "\(kind) \(line("UID")?.value ?? "")" }

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
