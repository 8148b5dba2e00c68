package import Belfry
package import BelfryRecurrence
package import FoundationEssentials

/// Dates as users and programs type them: RFC 3339, local in a zone, a bare date, or `@` and seconds since 1970.
package struct DateText: Sendable {
    /// The meaning of a date without a time of day.
    package enum BareDate: Sendable {
        case firstSecond
        /// For `--until`, which includes the day itself.
        case lastSecond
    }

    /// A date as it was typed.
    package struct Value: Sendable {
        package let date: Date
        /// The local date and time, without its fraction, which a clock change may skip; nil if the text names an
        /// instant.
        package var local: LocalDate?
    }

    /// The zone of dates without one.
    package let zone: ZoneRules

    package init(zone: ZoneRules) { self.zone = zone }

    private static let advice =
        "write it as 2026-12-24T18:00:00+01:00, as 2026-12-24 18:00, as 2026-12-24, or as @ and seconds since 1970."
    /// The years 1 to 9999, in seconds since 1970, as for triggers.
    private static let limits = Double(LocalDate.range.lowerBound)...Double(LocalDate.range.upperBound)

    /// Parses a date. The error names `option`, if it is given.
    package func parse(
        _ text: String,
        option: String? = nil,
        bareDate: BareDate = .firstSecond
    ) throws(NoticeError) -> Date {
        try value(of: text, option: option, bareDate: bareDate).date
    }

    /// Parses a date, and also returns the local one that was typed. The error names `option`, if it is given.
    package func value(
        of text: String,
        option: String? = nil,
        bareDate: BareDate = .firstSecond
    ) throws(NoticeError) -> Value {
        do throws(Unreadable) {
            let value = try read(text, bareDate)
            // An offset may lead out of the years of its own text.
            guard Self.limits.contains(value.date.timeIntervalSince1970) else {
                throw Unreadable(reason: "that is outside the years 1 to 9999")
            }
            return value
        } catch {
            let place = option.map { "\($0): " } ?? ""
            let what =
                text.isEmpty
                ? "the date is empty"
                : "the date '\(text.clipped)' can't be read" + (error.reason.map { ", \($0)" } ?? "")
            throw NoticeError(.invalidNotation, "\(place)\(what); \(Self.advice)")
        }
    }

    private struct Unreadable: Error {
        var reason: String?
    }

    private func read(_ text: String, _ bareDate: BareDate) throws(Unreadable) -> Value {
        if text.first == "@" { return Value(date: try seconds(text.dropFirst())) }
        var reader = DigitReader(Array(text.utf8)[...])
        guard let date = reader.date("-") else { throw Unreadable() }
        if let rangeError = date.rangeError { throw Unreadable(reason: rangeError) }
        if reader.isAtEnd {
            guard bareDate == .lastSecond else { return Value(date: date.instant(in: zone), local: date) }
            let next = LocalDate(secondsAtUTC: date.secondsAtUTC + 86_400)
            guard next.rangeError == nil else {
                return Value(date: Date(timeIntervalSince1970: Self.limits.upperBound))
            }
            return Value(date: next.instant(in: zone).addingTimeInterval(-1))
        }
        guard reader.take("T", "t", " "), var local = reader.minute(on: date, ":") else { throw Unreadable() }
        var fraction = 0.0
        if reader.take(":") {
            guard let second = reader.second(of: local) else { throw Unreadable() }
            (local, fraction) = second
        }
        if let rangeError = local.rangeError { throw Unreadable(reason: rangeError) }
        if reader.isAtEnd {
            return Value(date: local.instant(in: zone).addingTimeInterval(fraction), local: local)
        }
        guard let offset = reader.offset(), reader.isAtEnd else { throw Unreadable() }
        let instant = Date(timeIntervalSince1970: Double(local.secondsAtUTC - Int64(offset)))
        return Value(date: instant.addingTimeInterval(fraction))
    }

    private func seconds(_ number: Substring) throws(Unreadable) -> Date {
        let isPlain = number.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
        guard isPlain, number.count <= 40, let seconds = Double(number), seconds.isFinite else {
            throw Unreadable(reason: "after @ come seconds since 1970, such as @1767225600")
        }
        return Date(timeIntervalSince1970: seconds)
    }
}
