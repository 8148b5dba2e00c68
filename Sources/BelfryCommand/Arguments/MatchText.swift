import Belfry
import BelfryRecurrence
import BelfrySchedules

/// The date components of `--match`, such as `month=5,day=10,hour=8`.
///
/// Weekdays and months may be named: `weekday=tue`, `month=may`.
enum MatchText {
    private static let advice = "write it as --match month=5,day=10,hour=8."

    /// Checks only that values are numbers; the date engine checks their ranges.
    static func parse(_ text: String) throws(NoticeError) -> DateFields {
        var fields = DateFields()
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let (first, second) = pair.halves(at: "=")
            guard let second else {
                throw .unreadable("--match: '\(pair.clipped)' is no component and value; \(advice)")
            }
            let name = String(first.trimmed)
            guard let path = ComponentName.path(name) else {
                throw .unreadable(
                    "--match: '\(name.clipped)' is no date component; there are \(ComponentName.list)."
                )
            }
            guard fields[keyPath: path] == nil else {
                throw .unreadable(
                    "--match: \(name) is given twice; for several values, repeat --match with each of them."
                )
            }
            guard let value = ComponentName.value(String(second.trimmed), of: name) else {
                throw .unreadable("--match: '\(second.clipped)' is no whole number for \(name); \(advice)")
            }
            fields[keyPath: path] = value
        }
        return fields
    }
}
