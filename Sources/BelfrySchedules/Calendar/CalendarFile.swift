import Belfry
import BelfryRecurrence

/// The components of an iCalendar file that can contain alarms.
struct CalendarFile {
    struct Component {
        let kind: String
        let offset: Int
        private(set) var lines: [CalendarLine] = []
        /// The lines by their names: thousands of events may look up those of one with a long list.
        private var namedLines: [String: [CalendarLine]] = [:]
        /// The alarms of an event, or the STANDARD and DAYLIGHT parts of a zone.
        var parts: [Component] = []
        /// Whether its calendar cancels its events (METHOD:CANCEL, RFC 5546, 3.2.5), as those sent by mail do.
        fileprivate(set) var isInCancellation = false

        init(kind: String, offset: Int) {
            self.kind = kind
            self.offset = offset
        }

        mutating func append(_ line: CalendarLine) {
            lines.append(line)
            namedLines[line.name, default: []].append(line)
        }

        func line(_ name: String) -> CalendarLine? { namedLines[name]?.first }
        func all(_ name: String) -> [CalendarLine] { namedLines[name] ?? [] }
        func text(_ name: String) -> String { line(name)?.text ?? "" }
    }

    private(set) var events: [Component] = []
    /// The zones that the file defines, and those of the zone data.
    let zones: CalendarZones

    /// Whether a file is iCalendar, and not JSON.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        let word = Array("BEGIN:VCALENDAR".utf8)
        let start = withoutMark(bytes).drop { $0 <= 0x20 }
        return start.count >= word.count
            && zip(start, word).allSatisfy { $0 & ($0 >= 0x61 ? 0xDF : 0xFF) == $1 }
    }

    /// Returns the bytes after a byte order mark.
    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.dropFirst(SourceText.lengthOfMark(bytes))
    }

    init(_ bytes: [UInt8], or system: ZoneRules, _ collector: DiagnosticCollector) {
        var zones: [Component] = []
        do throws(JSON5Error) { try Self.read(bytes, collector, &events, &zones) } catch { collector.add(error) }
        events = Self.newest(events)
        self.zones = CalendarZones(zones, or: system)
    }

    /// Returns the events without those of which the file has a later revision (RFC 5546, 2.1.5), and without copies.
    private static func newest(_ events: [Component]) -> [Component] {
        var newest: [[String]: (sequence: Int, stamp: String, cancellation: Int)] = [:]
        for event in events where newest[event.identity].map({ $0 < event.revision }) ?? true {
            newest[event.identity] = event.revision
        }
        var known: Set<[String]> = []
        return events.filter { event in
            newest[event.identity].map { $0 == event.revision } ?? true && known.insert(event.content).inserted
        }
    }

    private static func read(
        _ bytes: [UInt8],
        _ collector: DiagnosticCollector,
        _ events: inout [Component],
        _ zones: inout [Component]
    ) throws(JSON5Error) {
        var open: [Component] = []
        for (raw, offset) in FoldedLines.unfold(withoutMark(bytes)) {
            guard let text = String(validating: raw, as: UTF8.self) else {
                throw JSON5Error(reason: "the line is not UTF-8", offset: offset)
            }
            guard let line = CalendarLine(text, offset: offset) else {
                let reason = "the line has no colon; a line is a name, a colon and a value"
                collector.add(JSON5Error(reason: reason, offset: offset))
                continue
            }
            switch line.name {
            case "BEGIN":
                guard open.count < 16 else {
                    throw JSON5Error(reason: "components are nested deeper than 16 levels", offset: offset)
                }
                open.append(Component(kind: line.value.uppercased(), offset: offset))
            case "END":
                guard var done = open.popLast() else {
                    throw JSON5Error(reason: "there is no BEGIN to this END", offset: offset)
                }
                guard done.kind == line.value.uppercased() else {
                    throw unended(done, before: "END:\(line.value.clipped)")
                }
                switch (done.kind, open.last?.kind) {
                case ("VALARM", "VEVENT"), ("VALARM", "VTODO"), ("STANDARD", "VTIMEZONE"), ("DAYLIGHT", "VTIMEZONE"):
                    open[open.count - 1].parts.append(done)
                case ("VTIMEZONE", _): zones.append(done)
                case ("VEVENT", _), ("VTODO", _):
                    done.isInCancellation = open.contains { $0.line("METHOD")?.value.uppercased() == "CANCEL" }
                    events.append(done)
                default: break
                }
            default:
                if !open.isEmpty { open[open.count - 1].append(line) }
            }
        }
        if let left = open.last { throw unended(left, before: "the end of the file") }
    }

    private static func unended(_ component: Component, before end: String) -> JSON5Error {
        JSON5Error(
            reason: "the \(component.kind.clipped) that begins here has no END before \(end)",
            offset: component.offset
        )
    }
}

extension CalendarFile.Component {
    /// What an event has in common with its other revisions. An occurrence alone is no revision of it and all that
    /// follow it.
    fileprivate var identity: [String] {
        let uid = line("UID")?.value ?? ""
        // Without one, it is an error that no other event may hide.
        guard !uid.isEmpty else { return ["\(offset)"] }
        return [kind, uid, "\(isOnward)"] + all("RECURRENCE-ID").map(\.value)
    }

    /// What an event has in common with its copies.
    fileprivate var content: [String] {
        ["\(kind) \(isInCancellation)"] + lines.map(\.content) + parts.flatMap(\.content)
    }

    /// When it was sent. The dates are in UTC, and of one form.
    var stamp: String { line("DTSTAMP")?.value ?? "" }

    /// The number and the date of a revision. Of equal ones, a cancellation is the last.
    fileprivate var revision: (sequence: Int, stamp: String, cancellation: Int) {
        (line("SEQUENCE").flatMap { Int($0.value) } ?? 0, stamp, isInCancellation ? 1 : 0)
    }
}
