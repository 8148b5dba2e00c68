import Belfry
import BelfryRecurrence
import Foundation

/// A rule that answers with dates, whatever notation it was written in.
struct DateRule {
    /// The first date strictly after another.
    let next: (Date) -> Date?
    /// The rule in the normal form of its notation, where that has one.
    var normalized: String?

    /// Dates in order, strictly rising: a rule that did not advance would else be asked for ever.
    func dates(after start: Date, count: Int) -> [Date] {
        var dates: [Date] = []
        dates.reserveCapacity(min(count, 64))
        var last = start
        while dates.count < count, let date = next(last), date > last {
            dates.append(date)
            last = date
        }
        return dates
    }
}

extension DateRule {
    /// The notations that the command line and batch mode know.
    enum Kind: String, CaseIterable, Sendable {
        case match, rrule, cron, on
    }

    /// Everything that a rule is made of.
    struct Source {
        var kind: Kind
        var expression: JSONValue
        var zone: ZoneRules
        var policies = DatePolicies()
        var weeks = WeekRules()
        /// DTSTART of a recurrence rule whose text has none.
        var start: Date?
    }

    /// The one place where a notation becomes a rule.
    init(_ source: Source) throws(CommandFailure) {
        switch source.kind {
        case .match:
            let sets = try MatchExpression.fields(source.expression)
            self = try Self.reading { () throws(RecurrenceError) in
                let pattern = try DatePattern(
                    matching: sets,
                    zone: source.zone,
                    policies: source.policies,
                    weeks: source.weeks
                )
                return DateRule { pattern.next(after: $0) }
            }
        case .rrule:
            let text = try source.text()
            self = try Self.reading { () throws(RecurrenceError) in
                let start = source.start.map { Int64($0.timeIntervalSince1970.rounded(.down)) }
                let pattern = try RRule(parsing: text).compiled(start: start, zone: source.zone)
                return DateRule { pattern.next(after: $0) }
            }
        case .cron:
            let text = try source.text()
            self = try Self.reading { () throws(RecurrenceError) in
                let pattern = try CronExpression(parsing: text).compiled(zone: source.zone)
                return DateRule { pattern.next(after: $0) }
            }
        case .on:
            let text = try source.text()
            self = try Self.reading { () throws(RecurrenceError) in
                let expression = try CalendarExpression(parsing: text)
                let pattern = try expression.compiled(zone: source.zone)
                return DateRule(next: { pattern.next(after: $0) }, normalized: expression.description)
            }
        }
    }

    /// A computation of dates answers "none" to what can never be, and an error to what can't be
    /// read.
    private static func reading(
        _ read: () throws(RecurrenceError) -> DateRule
    ) throws(CommandFailure) -> DateRule {
        do throws(RecurrenceError) {
            return try read()
        } catch {
            guard error.code == .invalidComponent || error.code == .impossibleDate else { throw CommandFailure(error) }
            return DateRule { _ in nil }
        }
    }
}

extension DateRule.Source {
    fileprivate func text() throws(CommandFailure) -> String {
        guard case .string(let text) = expression else {
            throw .unreadable("\(kind.rawValue): the expression must be a text.")
        }
        return text
    }
}
