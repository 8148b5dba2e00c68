import Belfry
import BelfryRecurrence
import Foundation

/// Dates as people and programs type them: RFC 3339, local in a zone, a bare date, or `@` and seconds since 1970.
package struct DateText: Sendable {
    /// What a date without a time of day means.
    package enum BareDate: Sendable {
        case firstSecond
        /// After `--until`: the day itself is still in.
        case lastSecond
    }

    /// The zone of dates that name none.
    package let zone: ZoneRules

    package init(zone: ZoneRules) { self.zone = zone }

    private static let advice =
        "write it as 2026-12-24T18:00:00+01:00, as 2026-12-24 18:00, as 2026-12-24, or as @ and seconds since 1970."
    /// The years 1 to 9999, as the triggers take them.
    private static let limit = 253_402_300_799.0

    /// `option` is named in the error, where there is one.
    package func parse(
        _ text: String,
        option: String? = nil,
        bareDate: BareDate = .firstSecond
    ) throws(NoticeError) -> Date {
        if text.first == "@" { return try seconds(text, option) }
        var scanner = DigitScanner(text)
        guard let date = scanner.date() else { throw unreadable(text, option) }
        if let fault = date.fault { throw unreadable(text, option, because: fault) }
        if scanner.isAtEnd { return try day(date, bareDate, text, option) }
        guard scanner.skip(["T", "t", " "]), let (local, fraction) = scanner.time(on: date) else {
            throw unreadable(text, option)
        }
        if let fault = local.fault { throw unreadable(text, option, because: fault) }
        let instant: Date
        if scanner.isAtEnd {
            instant = try resolve(local, text, option)
        } else {
            guard let offset = scanner.offset(), scanner.isAtEnd else { throw unreadable(text, option) }
            instant = Date(timeIntervalSince1970: Double(local.secondsAtUTC - offset))
        }
        return fraction == 0 ? instant : instant.addingTimeInterval(fraction)
    }

    private func seconds(_ text: String, _ option: String?) throws(NoticeError) -> Date {
        let number = text.dropFirst()
        let isPlain = number.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
        guard isPlain, number.count <= 40, let seconds = Double(number), seconds.isFinite else {
            throw unreadable(text, option, because: "after @ come seconds since 1970, such as @1767225600")
        }
        guard seconds.magnitude <= Self.limit else {
            throw unreadable(text, option, because: "that is outside the years 1 to 9999")
        }
        return Date(timeIntervalSince1970: seconds)
    }

    private func day(
        _ date: LocalDate,
        _ meaning: BareDate,
        _ text: String,
        _ option: String?
    ) throws(NoticeError) -> Date {
        switch meaning {
        case .firstSecond:
            return try resolve(date, text, option)
        case .lastSecond:
            let next = LocalDate(secondsAtUTC: date.secondsAtUTC + 86_400)
            guard next.fault == nil else { return Date(timeIntervalSince1970: Self.limit) }
            return try resolve(next, text, option).addingTimeInterval(-1)
        }
    }

    private func resolve(_ local: LocalDate, _ text: String, _ option: String?) throws(NoticeError) -> Date {
        guard let instant = try local.instant(in: zone) else {
            throw unreadable(text, option, because: "the zone \(zone.identifier) has no such date")
        }
        return instant
    }

    private func unreadable(_ text: String, _ option: String?, because fault: String? = nil) -> NoticeError {
        let place = option.map { "\($0): " } ?? ""
        guard !text.isEmpty else { return NoticeError(.invalidNotation, "\(place)the date is empty; \(Self.advice)") }
        let reason = fault.map { ", \($0)" } ?? ""
        return NoticeError(
            .invalidNotation,
            "\(place)the date '\(text.clipped)' can't be read\(reason); \(Self.advice)"
        )
    }
}

/// Steps through the digits of a date.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// `2026-12-24`
    mutating func date() -> LocalDate? {
        guard let year = number(4), skip(["-"]), let month = number(2), skip(["-"]), let day = number(2) else {
            return nil
        }
        return LocalDate(year: year, month: month, day: day)
    }

    /// `18:00`, `18:00:30` or `18:00:30.25`, the fraction beside it.
    mutating func time(on date: LocalDate) -> (LocalDate, fraction: Double)? {
        guard let hour = number(2), skip([":"]), let minute = number(2) else { return nil }
        var local = date
        local.hour = hour
        local.minute = minute
        guard skip([":"]) else { return (local, 0) }
        guard let second = number(2) else { return nil }
        local.second = second
        guard skip([".", ","]) else { return (local, 0) }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...18).contains(digits.count), let fraction = Double("0." + String(Substring(digits))) else {
            return nil
        }
        rest = rest.dropFirst(digits.count)
        return (local, fraction)
    }

    /// `Z`, `+01:00`, `-0530` or `+01`, in seconds ahead of UTC.
    mutating func offset() -> Int64? {
        if skip(["Z", "z"]) { return 0 }
        let sign: Int64
        if skip(["+"]) { sign = 1 } else if skip(["-"]) { sign = -1 } else { return nil }
        guard let hours = number(2), hours <= 23 else { return nil }
        guard !isAtEnd else { return sign * Int64(hours * 3600) }
        _ = skip([":"])
        guard let minutes = number(2), minutes <= 59 else { return nil }
        return sign * Int64(hours * 3600 + minutes * 60)
    }

    /// One of the characters, if it is next.
    mutating func skip(_ characters: [Unicode.Scalar]) -> Bool {
        guard let next = rest.first, characters.contains(where: { $0.value == UInt32(next) }) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard rest.count >= digits else { return nil }
        var value = 0
        for byte in rest.prefix(digits) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        rest = rest.dropFirst(digits)
        return value
    }
}
