package import BelfryRecurrence

/// The date components by the names that the command line and batch mode use.
package enum ComponentName {
    /// Components of Foundation's `DateComponents` that have no meaning here and are ignored.
    package static let ignored: Set<String> = ["quarter", "nanosecond", "isLeapMonth", "isRepeatedDay"]

    package static var list: String { DateFields.components.map(\.name).joined(separator: ", ") }

    private static let paths = Dictionary(uniqueKeysWithValues: DateFields.components.map { ($0.name, $0.path) })

    package static func path(_ name: String) -> (any WritableKeyPath<DateFields, Int?> & Sendable)? { paths[name] }

    /// Returns a number, or that of a weekday or month by at least three letters of its name; nil if it is neither.
    package static func value(_ text: String, of name: String) -> Int? {
        if let number = Int(text) { return number }
        switch name {
        case "weekday": return weekday(text)
        case "month": return number(of: text, in: CalendarNames.months)
        default: return nil
        }
    }

    /// Returns the number of a weekday (1 is Sunday) by at least three letters of its English name, or nil.
    package static func weekday(_ name: String) -> Int? { number(of: name, in: CalendarNames.weekdays) }

    private static func number(of name: String, in names: [String]) -> Int? {
        let lowered = name.lowercased()
        guard lowered.count >= 3, let index = names.firstIndex(where: { $0.lowercased().hasPrefix(lowered) }) else {
            return nil
        }
        return index + 1
    }
}
