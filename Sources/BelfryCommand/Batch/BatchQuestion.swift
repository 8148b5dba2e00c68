import Belfry
import BelfryRecurrence
import BelfrySchedules
import Foundation

/// One line of `belfry next --batch`: which dates are asked for.
struct BatchQuestion {
    /// More would be held in memory before the first is written.
    static let maximumCount = 1_000_000

    let source: DateRule.Source
    let after: Date
    let count: Int
    /// The rule's normal form is asked for instead of dates.
    let normalizes: Bool

    /// Names that are not known are ignored. `now` stands in for `after`.
    init(_ object: [String: JSONValue], now: Date) throws(CommandFailure) {
        let fields = Fields(object)
        var source = DateRule.Source(
            kind: try fields.kind(),
            expression: try fields.expression(),
            zone: try fields.zone()
        )
        if let name = try fields.text("missingDate") {
            source.policies.missingDate = try PolicyName.parse(name, of: "missingDate")
        }
        if let name = try fields.text("missingTime") {
            source.policies.missingTime = try PolicyName.parse(name, of: "missingTime")
        }
        if let name = try fields.text("repeatedTime") {
            source.policies.repeatedTime = try PolicyName.parse(name, of: "repeatedTime")
        }
        source.weeks.firstWeekday = try fields.whole("firstWeekday", in: 1...7) ?? source.weeks.firstWeekday
        source.weeks.minimumDaysInFirstWeek =
            try fields.whole("minimumDaysInFirstWeek", in: 1...7) ?? source.weeks.minimumDaysInFirstWeek
        source.start = try fields.date("start")
        self.source = source
        after = try fields.date("after") ?? now
        normalizes = try fields.flag("normalize")
        if normalizes, source.kind != .on {
            throw .unreadable("Only kind 'on' has a normal form; leave out 'normalize'.")
        }
        count = try fields.whole("count", in: 0...Self.maximumCount) ?? 1
    }

    /// The values of a line by name, each with the error that names it.
    private struct Fields {
        let object: [String: JSONValue]
        /// Further off than any date of the calendar (the years 1 to 9999), and not too far to be reckoned with.
        static let limit = 1e12

        init(_ object: [String: JSONValue]) { self.object = object }

        private func value(_ name: String) -> JSONValue? {
            guard let value = object[name], value != .null else { return nil }
            return value
        }

        func kind() throws(CommandFailure) -> DateRule.Kind {
            let all = DateRule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            guard let name = try text("kind") else {
                throw .unreadable("The key 'kind' is missing; it is one of \(all).")
            }
            guard let kind = DateRule.Kind(rawValue: name) else {
                throw .unreadable("The kind '\(name.clipped)' is not known; there are \(all).")
            }
            return kind
        }

        func expression() throws(CommandFailure) -> JSONValue {
            guard let expression = value("expression") else { throw .unreadable("The key 'expression' is missing.") }
            return expression
        }

        func zone() throws(CommandFailure) -> ZoneRules { try ZoneOption.rules(try text("zone")) }

        func text(_ name: String) throws(CommandFailure) -> String? {
            guard let value = value(name) else { return nil }
            guard case .string(let text) = value else { throw .unreadable("The value of '\(name)' must be a text.") }
            return text
        }

        func flag(_ name: String) throws(CommandFailure) -> Bool {
            guard let value = value(name) else { return false }
            guard case .bool(let flag) = value else {
                throw .unreadable("The value of '\(name)' must be true or false.")
            }
            return flag
        }

        func whole(_ name: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
            guard let value = value(name) else { return nil }
            let number: Int? =
                switch value {
                case .int(let number): Int(number)
                case .double(let number): Int(exactly: number)
                default: nil
                }
            guard let number, range.contains(number) else {
                throw .unreadable(
                    "The value of '\(name)' must be a whole number in \(range.lowerBound)–\(range.upperBound)."
                )
            }
            return number
        }

        func date(_ name: String) throws(CommandFailure) -> Date? {
            guard let value = value(name) else { return nil }
            let seconds: Double
            switch value {
            case .int(let number): seconds = Double(number)
            case .double(let number): seconds = number
            default: throw .unreadable("The value of '\(name)' must be a number of seconds since 1970.")
            }
            guard !seconds.isNaN else { throw .unreadable("The value of '\(name)' is no number.") }
            return Date(timeIntervalSince1970: min(max(seconds, -Self.limit), Self.limit))
        }
    }
}
