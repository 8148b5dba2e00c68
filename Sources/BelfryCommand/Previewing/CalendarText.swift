import Belfry
import BelfryRecurrence
import FoundationEssentials

/// Notices as an iCalendar file (RFC 5545) for a calendar program, with an event for each showing.
struct CalendarText: Sendable {
    private(set) var text = ""
    private let stamp: Date

    /// - Parameter stamp: The creation date of the file, which each event repeats.
    init(_ notices: [DeliveredNotice], stamp: Date) {
        self.stamp = stamp
        put("BEGIN:VCALENDAR")
        put("VERSION:2.0")
        put("PRODID:-//Belfry//preview \(Release.version)//EN")
        put("CALSCALE:GREGORIAN")
        var seen: [String: Int] = [:]
        for notice in notices {
            let name = "\(Self.time(notice.date))-\(notice.requestID)"
            seen[name, default: 0] += 1
            put(notice, uid: seen[name] == 1 ? name : "\(name)-\(seen[name] ?? 0)")
        }
        put("END:VCALENDAR")
    }

    private mutating func put(_ notice: DeliveredNotice, uid: String) {
        let content = notice.content
        let texts = [content.title, content.subtitle, content.body].filter { !$0.isEmpty }
        put("BEGIN:VEVENT")
        put("UID:\(Self.escaped(uid))@belfry")
        put("DTSTAMP:\(Self.time(stamp))")
        put("DTSTART:\(Self.time(notice.date))")
        put("SUMMARY:\(Self.escaped(texts.first ?? notice.requestID))")
        let rest = texts.dropFirst().joined(separator: "\n")
        if !rest.isEmpty { put("DESCRIPTION:\(Self.escaped(rest))") }
        if let thread = content.thread { put("CATEGORIES:\(Self.escaped(thread))") }
        // The event does not mark the time as busy.
        put("TRANSP:TRANSPARENT")
        put("END:VEVENT")
    }

    /// Appends a folded line (section 3.1): at most 75 bytes a line, including the leading blank of continuations,
    /// without splitting a character.
    private mutating func put(_ line: String) {
        var left = 75
        for scalar in line.unicodeScalars {
            let length = UTF8.width(scalar)
            if length > left {
                text += "\r\n "
                left = 74
            }
            text.unicodeScalars.append(scalar)
            left -= length
        }
        text += "\r\n"
    }

    /// Returns a TEXT value (section 3.3.11), which must not contain other control characters.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": result.append(contentsOf: ["\\", scalar])
            case "\n" where previous == "\r": break
            case "\r", "\n": result.append(contentsOf: ["\\", "n"])
            case "\t": result.append(scalar)
            default: if scalar.properties.generalCategory != .control { result.append(scalar) }
            }
            previous = scalar
        }
        return String(result)
    }

    /// Returns an instant such as `20261224T170000Z`; UTC needs no zone description.
    private static func time(_ date: Date) -> String {
        // The years 1 to 9999, like everything that can be pending.
        LocalDate(clamping: Int64(min(max(date.timeIntervalSince1970.rounded(.down), -1e12), 1e12))).compact + "Z"
    }
}
