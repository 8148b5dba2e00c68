/// One field of a cron expression as a list of items.
struct CronField: Sendable, Hashable {
    /// The kind of a field, with its name in messages and its range of values.
    enum Kind: String, Sendable, Hashable {
        case second, minute, hour, day, month, weekday

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
            case .month: CalendarNames.monthCodes
            case .weekday: CalendarNames.weekdayCodes
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

    /// The values, ascending, then the days that count from the end of the month, which are negative. Weekdays that
    /// have an ordinal are left out.
    var values: [Int] {
        let values = items.flatMap { item -> [Int] in
            switch item {
            case .all(let step): span(kind.cycle.lowerBound, kind.cycle.upperBound, step: step)
            case .value(let value): [kind == .weekday ? value % 7 : value]
            case .range(let low, let high, let step): span(low, high, step: step)
            case .from(let low, let step): span(low, kind.cycle.upperBound, step: step)
            case .lastDay(let before): [-1 - before]
            case .ordinal: []
            }
        }
        let sorted = Set(values).sorted()
        return sorted.filter { $0 >= 0 } + sorted.filter { $0 < 0 }
    }

    /// The weekdays that have an ordinal, by their ordinal.
    var ordinals: [(ordinal: Int, weekdays: [Int])] {
        var weekdays: [Int: Set<Int>] = [:]
        for case .ordinal(let low, let high, let ordinal) in items {
            weekdays[ordinal, default: []].formUnion(low == high ? [low % 7] : span(low, high, step: 1))
        }
        return weekdays.keys.sorted().map { ($0, (weekdays[$0] ?? []).sorted()) }
    }

    private func span(_ low: Int, _ high: Int, step: Int) -> [Int] {
        let cycle = kind.cycle
        var (low, high) = (low, high)
        if kind == .weekday, (low, high) != (0, 7) {
            // The same day twice is that day.
            if low % 7 == high % 7 { return [low % 7] }
            // Sunday is 0 at the start of a range and 7 at its end, whichever number is written.
            if low == 7 { low = 0 }
            if high == 0 { high = 7 }
        }
        let end = low <= high ? high : high + cycle.count
        return stride(from: low, through: end, by: step).map { $0 > cycle.upperBound ? $0 - cycle.count : $0 }
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
