import BelfryRecurrence
package import FoundationEssentials

/// The bounds of numbers from outside: from calls to the agent, files, the store, plug-ins and servers.
///
/// They allow far more than any app needs, and prevent overflows of 64-bit arithmetic.
package enum NumberBounds {
    /// 1,000 years, in either direction.
    package static let longestDuration = Duration.seconds(31_557_600_000)
    /// The years 1 to 9999, which end later in UTC for zones west of Greenwich.
    package static let dates = Date.distantPast...Date(timeIntervalSince1970: Double(FloatingPattern.lastInstant))
    /// The maximum absolute value of a count.
    package static let greatestCount = Int(Int32.max)
    /// Clock readings in microseconds: 10,000 years, in either direction.
    package static let microseconds: ClosedRange<Int64> = -315_576_000_000_000_000...315_576_000_000_000_000
    /// Local times in seconds, which are converted to ``microseconds``.
    package static let localSeconds = microseconds.lowerBound / 1_000_000...microseconds.upperBound / 1_000_000

    /// Checks a duration. Throws ``NoticeError/Code/invalidInterval``; permanent.
    package static func check(_ duration: Duration, _ name: String) throws(NoticeError) {
        guard duration > longestDuration || duration < .zero - longestDuration else { return }
        throw NoticeError(.invalidInterval, "'\(name)' is \(duration.seconds) s: 1,000 years are the most.")
    }

    /// Checks a date. Throws ``NoticeError/Code/invalidComponent``; permanent.
    package static func check(_ date: Date, _ name: String) throws(NoticeError) {
        // `contains` is not enough: a date of NaN passes it.
        guard !dates.contains(date) || !date.timeIntervalSince1970.isFinite else { return }
        throw NoticeError(
            .invalidComponent,
            "'\(name)' is \(date.timeIntervalSince1970) s since 1970: it must be in the years 1 to 9999."
        )
    }

    /// Checks a count. Throws ``NoticeError/Code/invalidContent``; permanent.
    package static func check(_ count: Int64, _ name: String) throws(NoticeError) {
        guard count.magnitude > greatestCount else { return }
        throw NoticeError(.invalidContent, "'\(name)' is \(count): \(greatestCount) is the most.")
    }

    /// Checks a trigger's count of firings. Throws an error with this code; permanent.
    static func check(firings count: Int, _ trigger: String, _ code: NoticeError.Code) throws(NoticeError) {
        guard !(1...greatestCount).contains(count) else { return }
        throw NoticeError(code, "\(trigger) of \(count) times: it must be 1 to \(greatestCount).")
    }

    /// Checks a clock reading. Throws ``NoticeError/Code/invalidComponent``; permanent.
    static func checkMicroseconds(_ reading: Int64, _ name: String) throws(NoticeError) {
        guard !microseconds.contains(reading) else { return }
        throw NoticeError(.invalidComponent, "'\(name)' is \(reading) µs, which no clock shows.")
    }

    /// Checks a local time. Throws ``NoticeError/Code/invalidComponent``; permanent.
    static func checkLocalSeconds(_ time: Int64, _ name: String) throws(NoticeError) {
        guard !localSeconds.contains(time) else { return }
        throw NoticeError(.invalidComponent, "'\(name)' is \(time) s, which no clock shows.")
    }
}

/// Durations, dates and counts are checked wherever a field is decoded: the compiler prefers these overloads to the
/// generic methods, also in synthesized conformances. Arrays of them are checked by the type that contains the array.
extension KeyedDecodingContainer {
    package func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
        try checked(key, NumberBounds.check)
    }

    package func decodeIfPresent(_ type: Duration.Type, forKey key: Key) throws -> Duration? {
        try hasValue(key) ? decode(type, forKey: key) : nil
    }

    package func decode(_ type: Date.Type, forKey key: Key) throws -> Date { try checked(key, NumberBounds.check) }

    package func decodeIfPresent(_ type: Date.Type, forKey key: Key) throws -> Date? {
        try hasValue(key) ? decode(type, forKey: key) : nil
    }

    package func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        Int(try checked(key, NumberBounds.check) as Int64)
    }

    package func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try hasValue(key) ? decode(type, forKey: key) : nil
    }

    /// Decodes a clock reading in microseconds.
    func decodeMicroseconds(forKey key: Key) throws -> Int64 { try checked(key, NumberBounds.checkMicroseconds) }

    func decodeMicrosecondsIfPresent(forKey key: Key) throws -> Int64? {
        try hasValue(key) ? decodeMicroseconds(forKey: key) : nil
    }

    /// Decodes a local time in seconds.
    func decodeLocalSeconds(forKey key: Key) throws -> Int64 { try checked(key, NumberBounds.checkLocalSeconds) }

    private func hasValue(_ key: Key) throws -> Bool { try contains(key) && !decodeNil(forKey: key) }

    /// Decodes and checks a value. Being generic, it calls the container's own method, not the overloads above.
    private func checked<Value: Decodable>(
        _ key: Key,
        _ check: (Value, String) throws(NoticeError) -> Void
    ) throws -> Value {
        let value = try decode(Value.self, forKey: key)
        try check(value, key.stringValue)
        return value
    }
}
