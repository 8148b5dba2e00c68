/// One field of a cron expression as a list of items.
struct CronField: Sendable, Hashable {
    /// The kind of a field, with its name in messages and its range of values.
    enum Kind: Sendable, Hashable {
        case second, minute, hour, day, month, weekday

        var name: String {
            switch self {
            case .second: "second"
            case .minute: "minute"
            case .hour: "hour"
            case .day: "day"
            case .month: "month"
            case .weekday: "weekday"
            }
        }

        /// The values that may be written; 7 is Sunday, as 0 is.
        var range: ClosedRange<Int> {
            switch self {
            case .second, .minute: 0...59
            case .hour: 0...23
            case .day: 1...31
            case .month: 1...12
            case .weekday: 0...7
            }
        }

        /// The distinct values, in the order in which ranges run around the end.
        var cycle: ClosedRange<Int> { self == .weekday ? 0...6 : range }

        var names: [String] {
            switch self {
            case .month: CalendarNames.months
            case .weekday: CalendarNames.weekdays
            default: []
            }
        }
    }

    enum Item: Sendable, Hashable {
        /// `*` or `?`, with a step.
        case all(step: Int)
        case value(Int)
        /// `a-b` with a step; it runs around the end if `b` is less than `a`.
        case range(Int, Int, step: Int)
        /// `a/n`: every n-th value from `a`.
        case from(Int, step: Int)
        /// `L` or `L-3`: the number of days before the last of the month.
        case lastDay(before: Int)
        /// `5#2`, `MON-FRI#1`, `5L`: weekdays by their ordinal; −1 is the last.
        case ordinal(Int, Int, ordinal: Int)
    }

    let kind: Kind
    let items: [Item]

    /// Whether the field doesn't begin with `*` or `?`. Vixie cron decides the same way: `*/2` is not restricted.
    var isRestricted: Bool {
        if case .all = items[0] { return false }
        return true
    }

    /// The values, one bit for each.
    var mask: UInt64 {
        items.reduce(0) { mask, item in
            switch item {
            case .all(let step): mask | Self.bits(kind.cycle.lowerBound, kind.cycle.upperBound, step: step, kind)
            case .value(let value): mask | 1 << UInt64(kind == .weekday ? value % 7 : value)
            case .range(let low, let high, let step): mask | Self.bits(low, high, step: step, kind)
            case .from(let low, let step): mask | Self.bits(low, kind.cycle.upperBound, step: step, kind)
            case .lastDay, .ordinal: mask
            }
        }
    }

    /// The days counted from the end of the month; bit 30 is the last.
    var daysFromEnd: UInt32 {
        items.reduce(0) { mask, item in
            if case .lastDay(let before) = item { return mask | 1 << UInt32(30 - before) }
            return mask
        }
    }

    /// The weekdays that have an ordinal, as one mask for each ordinal.
    var ordinals: [Int: UInt64] {
        items.reduce(into: [:]) { masks, item in
            if case .ordinal(let low, let high, let ordinal) = item {
                masks[ordinal, default: 0] |= low == high ? 1 << UInt64(low % 7) : Self.bits(low, high, step: 1, kind)
            }
        }
    }

    private static func bits(_ low: Int, _ high: Int, step: Int, _ kind: Kind) -> UInt64 {
        let cycle = kind.cycle
        var (low, high) = (low, high)
        if kind == .weekday {
            // Sunday is 0 at the start of a range and 7 at its end, whichever number is written.
            if low == 7 { low = 0 }
            if high == 0 { high = 7 }
        }
        let end = low <= high ? high : high + cycle.count
        return stride(from: low, through: end, by: step).reduce(0) { mask, value in
            mask | 1 << UInt64(value > cycle.upperBound ? value - cycle.count : value)
        }
    }
}

extension CronField: CustomStringConvertible {
    var description: String { items.map { describe($0) }.joined(separator: ",") }

    private func describe(_ item: Item) -> String {
        func stepped(_ step: Int) -> String { step == 1 ? "" : "/\(step)" }
        switch item {
        case .all(let step): return "*" + stepped(step)
        case .value(let value): return "\(value)"
        case .range(let low, let high, let step): return "\(low)-\(high)" + stepped(step)
        case .from(let low, let step): return "\(low)/\(step)"
        case .lastDay(let before): return before == 0 ? "L" : "L-\(before)"
        case .ordinal(let low, let high, let ordinal):
            let days = low == high ? "\(low)" : "\(low)-\(high)"
            return days + (ordinal == -1 ? "L" : "#\(ordinal)")
        }
    }
}
