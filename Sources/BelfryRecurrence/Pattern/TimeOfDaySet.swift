/// A set of times of day: every combination of some hours, some minutes and some seconds.
struct TimeOfDaySet: Sendable, Hashable {
    static let allHours: UInt32 = 0xFF_FFFF
    static let allSixty: UInt64 = (1 << 60) - 1

    /// One bit for each value; none of the three is empty.
    let hours: UInt32
    let minutes: UInt64
    let seconds: UInt64
    /// The first and last of the times, in seconds after midnight. They are equal if there is only one.
    let first: Int32
    let last: Int32

    init(hours: UInt32, minutes: UInt64, seconds: UInt64) {
        precondition(hours != 0 && minutes != 0 && seconds != 0, "a set of times of day has at least one")
        self.hours = hours
        self.minutes = minutes
        self.seconds = seconds
        first = Int32(
            hours.trailingZeroBitCount * 3600 + minutes.trailingZeroBitCount * 60 + seconds.trailingZeroBitCount
        )
        last = Int32(
            (31 - hours.leadingZeroBitCount) * 3600 + (63 - minutes.leadingZeroBitCount) * 60 + 63
                - seconds.leadingZeroBitCount
        )
    }

    /// Creates the set of all combinations of some values; an empty list allows any.
    init(hours: [Int], minutes: [Int], seconds: [Int]) {
        func bits(_ values: [Int], of all: UInt64) -> UInt64 {
            values.isEmpty ? all : values.reduce(0) { $0 | 1 << UInt64($1) }
        }
        self.init(
            hours: UInt32(bits(hours, of: UInt64(Self.allHours))),
            minutes: bits(minutes, of: Self.allSixty),
            seconds: bits(seconds, of: Self.allSixty)
        )
    }

    /// Creates the times of filled-in components: one value each, or all if none is given.
    init(_ fields: DateFields) {
        self.init(
            hours: fields.hour.map { 1 << UInt32($0) } ?? Self.allHours,
            minutes: fields.minute.map { 1 << UInt64($0) } ?? Self.allSixty,
            seconds: fields.second.map { 1 << UInt64($0) } ?? Self.allSixty
        )
    }

    /// The number of times of day.
    var count: Int { hours.nonzeroBitCount * minutes.nonzeroBitCount * seconds.nonzeroBitCount }

    /// Returns the first time at or after `time`, which must be at most ``last``.
    @inline(__always)
    func next(from time: Int) -> Int {
        if time <= Int(first) { return Int(first) }
        return nextWithin(from: UInt32(truncatingIfNeeded: time))
    }

    @inline(__always)
    private func nextWithin(from time: UInt32) -> Int {
        let hour = time / 3600
        let rest = time &- hour &* 3600
        let minute = rest / 60
        let second = rest &- minute &* 60
        let firstSecond = seconds.trailingZeroBitCount
        if hours &>> hour & 1 != 0 {
            if minutes &>> UInt64(minute) & 1 != 0 {
                let later = seconds &>> UInt64(second)
                if later != 0 { return Int(time) &+ later.trailingZeroBitCount }
            }
            let later = (minutes &>> UInt64(minute)) &>> 1
            if later != 0 {
                return Int(hour &* 3600 &+ (minute &+ 1) &* 60) &+ later.trailingZeroBitCount &* 60 &+ firstSecond
            }
        }
        let later = (hours &>> hour) &>> 1
        return (Int(hour) &+ 1 &+ later.trailingZeroBitCount) &* 3600
            &+ minutes.trailingZeroBitCount &* 60 &+ firstSecond
    }

    /// Returns the first local time at or after `local`, in seconds since 1970, as if the zone were UTC. `nextDay`
    /// returns the first allowed day at or after a day.
    @inline(__always)
    func nextLocal(from local: Int, nextDay: (Int) -> Int) -> Int {
        let total = UInt64(truncatingIfNeeded: local &+ Gregorian.epochDay &* Gregorian.secondsPerDay)
        var day = Int(total / 86_400)
        var time = Int(total) &- day &* 86_400
        if time > Int(last) {
            day &+= 1
            time = 0
        }
        let found = nextDay(day)
        if found == DaySet.none { return Clause.none }
        return Gregorian.seconds(ofDay: found) &+ (found == day ? next(from: time) : Int(first))
    }

    /// The time at an index in ascending order, with `position` from 0 to ``count`` − 1.
    func time(at position: Int) -> Int {
        let perMinute = seconds.nonzeroBitCount
        let perHour = minutes.nonzeroBitCount * perMinute
        let hour = UInt64(hours).position(ofBit: position / perHour)
        let minute = minutes.position(ofBit: position % perHour / perMinute)
        return hour * 3600 + minute * 60 + seconds.position(ofBit: position % perMinute)
    }
}

extension UInt64 {
    /// The position of the set bit with a rank; rank 0 is the lowest. The bit must exist.
    func position(ofBit rank: Int) -> Int {
        var rest = self
        for _ in 0..<rank { rest &= rest &- 1 }
        return rest.trailingZeroBitCount
    }
}
