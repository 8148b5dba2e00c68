/// Fires after a time span, once or repeatedly.
///
/// Repeats keep their phase: the n-th firing is at the start plus n intervals, even if earlier firings were late. An
/// interval of whole days does not keep the time of day: it moves by an hour at a clock change, unlike a
/// ``CalendarTrigger``.
///
/// ```swift
/// let tea = NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240)))
/// let hourly = IntervalTrigger(every: .seconds(3_600), count: 8)
/// let stretch = NoticeRequest(id: "stretch", title: "Stretch your legs", trigger: hourly)
/// ```
public struct IntervalTrigger: ElapsedTimeTrigger {
    public static let kind: TriggerKind = "interval"
    /// The minimum interval of a repeating trigger.
    public static let minimumRepeat = Duration.seconds(60)

    public var interval: Duration
    public var repeats: Bool
    public var startsNow: Bool
    public var count: Int?

    /// Creates a trigger that fires once, after `interval`, which is longer than zero.
    public init(after interval: Duration) {
        self.interval = interval
        repeats = false
        startsNow = false
        count = nil
    }

    /// Creates a trigger that repeats. `interval`: 60 seconds or more. `count`: the number of all firings, 1 or more.
    public init(every interval: Duration, startsNow: Bool = false, count: Int? = nil) {
        self.interval = interval
        repeats = true
        self.startsNow = startsNow
        self.count = count
    }

    /// Checks the interval and the count.
    ///
    /// - Throws: ``NoticeError/Code/invalidInterval`` for an interval that is not above zero and at most 100 years, or
    ///   a count below 1. ``NoticeError/Code/intervalTooShort`` for a repeating interval under 60 s. Both are
    ///   permanent.
    public func validate() throws(NoticeError) {
        guard interval <= .seconds(100 * 366 * 86_400) else {
            throw NoticeError(
                .invalidInterval,
                "An interval of \(interval.seconds) s is over 100 years; use a calendar trigger."
            )
        }
        try validateInterval()
        if let count { try NumberBounds.check(firings: count, "An interval trigger", .invalidInterval) }
    }

    public var warnings: [String] {
        let day = Duration.seconds(86_400)
        guard interval >= day, interval.attoseconds.isMultiple(of: day.attoseconds) else { return [] }
        return [
            "An interval of whole days moves by an hour at clock changes; a calendar trigger keeps the time of day."
        ]
    }

    private enum Key: String, CodingKey {
        case seconds, repeats, startsNow
        case count = "times"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let seconds = try values.decode(Double.self, forKey: .seconds)
        guard seconds.magnitude <= NumberBounds.longestDuration.seconds else {
            throw NoticeError(.invalidInterval, "An interval of \(seconds) s: 1,000 years are the most.")
        }
        // Whole microseconds: `.seconds(1.1)` exceeds 1.1 s by some attoseconds, and would differ from the stored
        // value.
        interval = .microseconds(Int64((seconds * 1e6).rounded()))
        repeats = try values.decodeIfPresent(Bool.self, forKey: .repeats) ?? false
        startsNow = try values.decodeIfPresent(Bool.self, forKey: .startsNow) ?? false
        count = try values.decodeIfPresent(Int.self, forKey: .count)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        // A valid interval of less than a nanosecond must not become zero, which is invalid.
        let microseconds = interval > .zero ? max(1, interval.microseconds) : interval.microseconds
        try values.encode(Double(microseconds) / 1e6, forKey: .seconds)
        try values.encode(repeats, forKey: .repeats)
        try values.encode(startsNow, forKey: .startsNow)
        try values.encodeIfPresent(count, forKey: .count)
    }
}

extension ElapsedTimeTrigger {
    /// Checks the requirements of all kinds, even if the trigger's own `validate` does not.
    func validateInterval() throws(NoticeError) {
        guard interval > .zero else {
            throw NoticeError(.invalidInterval, "An interval of \(interval.seconds) s: it must be longer than zero.")
        }
        try NumberBounds.check(interval, "interval")
        if repeats, interval < IntervalTrigger.minimumRepeat {
            throw NoticeError(
                .intervalTooShort,
                "A repeating interval of \(interval.seconds) s: it must be at least 60 s. "
                    + "A series repeats faster, from 1 s on."
            )
        }
    }
}

extension NoticeTrigger where Self == IntervalTrigger {
    /// Fires once, after a time span.
    public static func after(_ interval: Duration) -> IntervalTrigger { IntervalTrigger(after: interval) }
    /// Fires repeatedly, 60 seconds apart or more.
    public static func every(_ interval: Duration) -> IntervalTrigger { IntervalTrigger(every: interval) }
}
