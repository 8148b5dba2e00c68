import Belfry
import BelfryRecurrence
import Foundation

/// A rule that answers with dates, whatever notation it was written in.
struct DateRule {
    /// The first date strictly after another.
    let next: (Date) -> Date?

    /// No date at all: impossible, or out of range.
    static var never: DateRule { DateRule { _ in nil } }

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
    /// The notations that batch mode knows.
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
            self = try DateRule(matching: sets, source)
        case .rrule, .cron, .on:
            throw CommandFailure(
                .unsupported,
                "\(source.kind.rawValue): this version reads no such rules yet; use kind match, "
                    + "which takes one object of date components or a list of them."
            )
        }
    }

    private init(matching sets: [DateFields], _ source: Source) throws(CommandFailure) {
        do throws(RecurrenceError) {
            let pattern = try DatePattern(
                matching: sets,
                zone: source.zone,
                policies: source.policies,
                weeks: source.weeks
            )
            self.init { pattern.next(after: $0) }
        } catch {
            // A computation of dates answers "none" to what can never be (semantics.md, rule 12).
            guard error.code == .invalidComponent || error.code == .impossibleDate else { throw CommandFailure(error) }
            self = .never
        }
    }
}
