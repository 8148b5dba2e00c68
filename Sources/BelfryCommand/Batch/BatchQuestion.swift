import Belfry
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

/// One line of `belfry next --batch`: the requested dates.
struct BatchQuestion {
    /// The maximum number of dates: all of them are in memory before the first is written.
    private static let maximumCount = 1_000_000

    private enum Kind: String, CaseIterable {
        case match, rrule, cron, on
    }

    /// Returns the first date strictly after another. Systemd's expressions may have dates between two seconds.
    private var next: (Date) -> Date? = { _ in nil }
    private let after: Date
    private let count: Int
    /// Whether the rule's normal form is requested instead of dates.
    let normalizes: Bool
    private(set) var normalized: String?

    /// Unknown keys are ignored. `now` is the default of `after`.
    init(_ fields: [String: JSONValue], now: Date) throws(NoticeError) {
        let kind: Kind = try fields.kind()
        guard let expression = fields["expression"], expression != .null else {
            throw .unreadable("The key 'expression' is missing.")
        }
        let zone = try ZoneRules.option(try fields.text("zone"))
        var policies = DatePolicies()
        policies.missingDate = try fields.policy("missingDate") ?? policies.missingDate
        policies.missingTime = try fields.policy("missingTime") ?? policies.missingTime
        policies.repeatedTime = try fields.policy("repeatedTime") ?? policies.repeatedTime
        var weeks = WeekRules()
        weeks.firstWeekday = try fields.whole("firstWeekday", in: 1...7) ?? weeks.firstWeekday
        weeks.minimumDaysInFirstWeek =
            try fields.whole("minimumDaysInFirstWeek", in: 1...7) ?? weeks.minimumDaysInFirstWeek
        let start = try fields.date("start").map { Int64($0.timeIntervalSince1970.rounded(.down)) }
        after = try fields.date("after") ?? now
        normalizes = try fields.value("normalize", "true or false", \.boolValue) ?? false
        if normalizes, kind != .on { throw .unreadable("Only kind 'on' has a normal form; leave out 'normalize'.") }
        count = try fields.whole("count", in: 0...Self.maximumCount) ?? 1

        let sets = kind == .match ? try MatchExpression.fields(expression) : []
        guard let text = kind == .match ? "" : expression.stringValue else {
            throw .unreadable("\(kind.rawValue): the expression must be a text, and is \(expression.clipped).")
        }
        do throws(RecurrenceError) {
            switch kind {
            case .match:
                let pattern = try DatePattern(matching: sets, zone: zone, policies: policies, weeks: weeks)
                next = { pattern.next(after: $0) }
            case .rrule:
                let pattern = try RRule(parsing: text).compiled(start: start, zone: zone)
                next = { pattern.next(after: $0) }
            case .cron:
                let pattern = try CronExpression(parsing: text).compiled(zone: zone)
                next = { pattern.next(after: $0) }
            case .on:
                let expression = try CalendarExpression(parsing: text)
                let pattern = try expression.compiled(zone: zone)
                next = { pattern.next(after: $0) }
                normalized = expression.description
            }
        } catch {
            // A valid expression whose dates never exist has no dates.
            guard error.code == .invalidComponent || error.code == .impossibleDate else {
                throw NoticeError(.init(rawValue: error.code.rawValue), error.message)
            }
        }
    }

    /// Returns the dates, strictly ascending: a rule that does not advance would never end.
    func dates() -> [Date] {
        var dates: [Date] = []
        var last = after
        while dates.count < count, let date = next(last), date > last {
            dates.append(date)
            last = date
        }
        return dates
    }
}

/// Accessors for the values of a line by key. Each error names its key.
extension [String: JSONValue] {
    fileprivate func value<Read>(
        _ name: String,
        _ expected: String,
        _ read: (JSONValue) -> Read?
    ) throws(NoticeError) -> Read? {
        guard let value = self[name], value != .null else { return nil }
        guard let read = read(value) else {
            throw .unreadable("The value of '\(name)' must be \(expected), and is \(value.clipped).")
        }
        return read
    }

    fileprivate func text(_ name: String) throws(NoticeError) -> String? { try value(name, "a text", \.stringValue) }

    fileprivate func whole(_ name: String, in range: ClosedRange<Int>) throws(NoticeError) -> Int? {
        try value(name, "a whole number in \(range.lowerBound)–\(range.upperBound)") { value in
            value.doubleValue.flatMap(Int.init(exactly:)).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns a date, clamped to a range that is wider than the calendar (the years 1 to 9999).
    fileprivate func date(_ name: String) throws(NoticeError) -> Date? {
        try value(name, "a number of seconds since 1970", \.doubleValue).map {
            Date(timeIntervalSince1970: Swift.min(Swift.max($0, -1e12), 1e12))
        }
    }

    fileprivate func kind<Kind>() throws(NoticeError) -> Kind
    where Kind: RawRepresentable & CaseIterable, Kind.RawValue == String {
        let all = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        guard let name = try text("kind") else { throw .unreadable("The key 'kind' is missing; it is one of \(all).") }
        guard let kind = Kind(rawValue: name) else {
            throw .unreadable("The kind '\(name.clipped)' is not known; there are \(all).")
        }
        return kind
    }

    fileprivate func policy<Policy>(_ name: String) throws(NoticeError) -> Policy?
    where Policy: RawRepresentable & CaseIterable, Policy.RawValue == String {
        guard let text = try text(name) else { return nil }
        return try PolicyName.parse(text, of: name)
    }
}
