import Belfry

/// The components of an iCalendar file that alarms can be in.
struct CalendarFile {
    struct Component {
        let kind: String
        let offset: Int
        var lines: [CalendarLine] = []
        var alarms: [Component] = []
        /// The STANDARD and DAYLIGHT parts of a zone.
        var observances: [Component] = []

        func line(_ name: String) -> CalendarLine? { lines.first { $0.name == name } }
        func all(_ name: String) -> [CalendarLine] { lines.filter { $0.name == name } }
    }

    var events: [Component] = []
    /// The zones that the file defines.
    var zones: [Component] = []

    /// Whether a file is one, and no JSON.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let word = Array("BEGIN:VCALENDAR".utf8)
        guard let first = bytes[start...].firstIndex(where: { $0 > 0x20 }), bytes.count - first >= word.count else {
            return false
        }
        return zip(bytes[first...], word).allSatisfy { $0 & ($0 >= 0x61 ? 0xDF : 0xFF) == $1 }
    }

    init(_ bytes: [UInt8], _ collector: DiagnosticCollector) {
        var open: [Component] = []
        for (text, offset) in CalendarLine.unfold(bytes) {
            guard let line = CalendarLine(text, offset: offset) else {
                collector.add(
                    JSON5Error(reason: "the line has no colon; a line is a name, a colon and a value", offset: offset)
                )
                continue
            }
            switch line.name {
            case "BEGIN":
                guard open.count < 16 else {
                    collector.add(JSON5Error(reason: "components are nested deeper than 16 levels", offset: offset))
                    return
                }
                open.append(Component(kind: line.value.uppercased(), offset: offset))
            case "END":
                guard let done = open.popLast(), done.kind == line.value.uppercased() else {
                    collector.add(JSON5Error(reason: "there is no BEGIN to this END", offset: offset))
                    return
                }
                if done.kind == "VALARM", !open.isEmpty { open[open.count - 1].alarms.append(done) }
                if done.kind == "STANDARD" || done.kind == "DAYLIGHT", open.last?.kind == "VTIMEZONE" {
                    open[open.count - 1].observances.append(done)
                }
                if done.kind == "VTIMEZONE" { zones.append(done) }
                if done.kind == "VEVENT" || done.kind == "VTODO" { events.append(done) }
            default:
                if !open.isEmpty { open[open.count - 1].lines.append(line) }
            }
        }
        if let left = open.last {
            collector.add(JSON5Error(reason: "the component that begins here has no END", offset: left.offset))
        }
    }
}
