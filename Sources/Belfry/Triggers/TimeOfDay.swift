package import BelfryRecurrence

/// A local time of day, in whole seconds: `"9:25"`, `"18:00:30"`.
///
/// An invalid literal traps. Numbers outside 0–23, 0–59 and 0–59 can be stored; types that use the time, such as
/// triggers, refuse them with ``NoticeError/Code/invalidComponent``.
///
/// ```swift
/// let evening = try TimeOfDay(parsing: "18:30")
/// let news = NoticeRequest(id: "news", title: "The news begins", trigger: .daily(at: evening))
/// let nights = QuietHours.Period(from: "22:00", to: "7:00")
/// ```
public struct TimeOfDay: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The hour, 0 to 23.
    public var hour: Int
    /// The minute, 0 to 59.
    public var minute: Int
    /// The second, 0 to 59.
    public var second: Int

    /// Creates a time; numbers out of range are refused where it is used.
    public init(hour: Int, minute: Int = 0, second: Int = 0) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Parses a time of day, such as `9:25` or `18:00:30`.
    ///
    /// - Throws: ``NoticeError/Code/invalidComponent`` for any other text; permanent.
    public init(parsing text: String) throws(NoticeError) {
        guard let time = Self.read(text), time.isValid else {
            throw NoticeError(
                .invalidComponent,
                "'\(text.prefix(80))' is no time of day; write it as 9:25 or 18:00:30, from 0:00 to 23:59:59."
            )
        }
        self = time
    }

    /// Creates a time from a literal; traps if it is invalid. Use ``init(parsing:)`` for other texts.
    public init(stringLiteral text: String) {
        do throws(NoticeError) { try self.init(parsing: text) } catch { preconditionFailure(error.message) }
    }

    package var isValid: Bool { (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second) }
    /// The seconds since midnight of a valid time.
    package var secondsOfDay: Int { hour * 3600 + minute * 60 + second }

    func validate() throws(NoticeError) {
        for (name, value, last) in [("hour", hour, 23), ("minute", minute, 59), ("second", second, 59)]
        where !(0...last).contains(value) {
            throw NoticeError(.invalidComponent, "\(name) \(value) is not in 0–\(last).")
        }
    }

    private static func read(_ text: String) -> TimeOfDay? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let areNumbers = parts.allSatisfy { part in
            (1...2).contains(part.utf8.count) && part.utf8.allSatisfy(\.isDigit)
        }
        guard (2...3).contains(parts.count), areNumbers else { return nil }
        let numbers = parts.compactMap { Int($0) }
        return TimeOfDay(hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : 0)
    }
}

/// The text is `9:25`, or `18:00:30` if the time has seconds.
extension TimeOfDay: CustomStringConvertible {
    public var description: String {
        func padded(_ number: Int) -> String { (0...9).contains(number) ? "0\(number)" : "\(number)" }
        return "\(hour):\(padded(minute))" + (second == 0 ? "" : ":\(padded(second))")
    }
}

/// Coded as its text.
extension TimeOfDay: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(parsing: decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension DateFields {
    /// Returns these components with a time of day.
    package func at(_ time: TimeOfDay) -> DateFields {
        var fields = self
        (fields.hour, fields.minute, fields.second) = (time.hour, time.minute, time.second)
        return fields
    }
}
