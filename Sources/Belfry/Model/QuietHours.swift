import Foundation

/// When the person wants to be left alone: windows of local time, wherever the machine is.
///
/// What is ``InterruptionLevel/timeSensitive`` or ``InterruptionLevel/critical`` passes; the rest waits, or comes quietly.
///
/// ```swift
/// let nights = QuietHours([QuietWindow(from: "22:00", to: "07:00")])
/// try await center.setQuietHours(nights)
/// ```
public struct QuietHours: Sendable, Codable, Hashable {
    /// What becomes of a notice that is due in quiet hours and may not pass.
    public enum Behaviour: String, Sendable, Codable, Hashable, CaseIterable {
        /// It comes when they end, and is not late by that; of a request that repeats, the latest firing.
        case wait
        /// Without a sound, with the urgency of ``InterruptionLevel/passive``: most desktops show no popup then.
        case deliverQuietly
    }

    /// Quiet is where any of them is; 1 to 100.
    public var windows: [QuietWindow]
    public var behaviour: Behaviour

    public init(_ windows: [QuietWindow], behaviour: Behaviour = .wait) {
        self.windows = windows
        self.behaviour = behaviour
    }

    /// Throws ``NoticeError/Code/invalidComponent``; permanent.
    public func validate() throws(NoticeError) {
        guard (1...100).contains(windows.count) else {
            throw NoticeError(
                .invalidComponent,
                "Quiet hours of \(windows.count) windows: give 1 to 100, or nil for none at all."
            )
        }
        for window in windows { try window.validate() }
    }
}

/// A daily span of local time. It may go over midnight, and begins on chosen weekdays or on every day.
///
/// Where a clock change skips an end of it, the time that follows counts; of a time that comes twice the first one does.
public struct QuietWindow: Sendable, Hashable {
    /// Minutes after midnight, 0 to 1,439.
    public var start: Int
    /// The same; where it is not after ``start``, on the next day. Equal to it: for a whole day.
    public var end: Int
    /// The days on which it begins, 1 (Sunday) to 7; nil is every day.
    public var weekdays: Set<Int>?

    public init(start: Int, end: Int, weekdays: Set<Int>? = nil) {
        self.start = start
        self.end = end
        self.weekdays = weekdays
    }

    /// Times of day as `22:00`; `24:00` is the midnight at the end of the day. What is none is refused by
    /// ``QuietHours/validate()``.
    public init(from start: String, to end: String, weekdays: Set<Int>? = nil) {
        self.init(start: Self.minutes(start) ?? -1, end: Self.minutes(end) ?? -1, weekdays: weekdays)
    }

    /// Minutes after midnight; nil for what is no time of day.
    public static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60, hour < 24 || hour == 24 && minute == 0
        else { return nil }
        return (hour * 60 + minute) % 1_440
    }

    public static func text(_ minutes: Int) -> String {
        let (hour, minute) = (minutes / 60, minutes % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    func validate() throws(NoticeError) {
        for time in [start, end] where !(0..<1_440).contains(time) {
            throw NoticeError(
                .invalidComponent,
                "Quiet hours from minute \(start) to \(end) of the day: write times of day as 22:00 and 07:00."
            )
        }
        guard let weekdays else { return }
        guard !weekdays.isEmpty, weekdays.allSatisfy((1...7).contains) else {
            throw NoticeError(
                .invalidComponent,
                "Quiet hours on the weekdays \(weekdays.sorted()): give some of 1 (Sunday) to 7, or none for every day."
            )
        }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

/// `{"from": "22:00", "to": "07:00", "weekdays": [2, 3]}`
extension QuietWindow: Codable {
    private enum Key: String, CodingKey { case from, to, weekdays }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func time(_ key: Key) throws -> Int {
            let text = try values.decode(String.self, forKey: key)
            guard let minutes = Self.minutes(text) else {
                throw NoticeError(.invalidComponent, "'\(text.prefix(80))' is no time of day, as 22:00 is.")
            }
            return minutes
        }
        start = try time(.from)
        end = try time(.to)
        weekdays = try values.decodeIfPresent([Int].self, forKey: .weekdays).map(Set.init)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(Self.text(start), forKey: .from)
        try values.encode(Self.text(end), forKey: .to)
        try values.encodeIfPresent(weekdays?.sorted(), forKey: .weekdays)
    }
}
