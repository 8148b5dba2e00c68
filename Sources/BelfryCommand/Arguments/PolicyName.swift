import Belfry
import BelfrySchedules

/// Parses the name of a policy; `last-day-of-month` is equivalent to `lastDayOfMonth`.
enum PolicyName {
    static func parse<Policy>(_ text: String, of option: String) throws(NoticeError) -> Policy
    where Policy: RawRepresentable & CaseIterable, Policy.RawValue == String {
        let wanted = text.lowercased().filter { $0 != "-" }
        guard let policy = Policy.allCases.first(where: { $0.rawValue.lowercased() == wanted }) else {
            let names = Policy.allCases.map(\.rawValue).joined(separator: ", ")
            throw .unreadable("'\(text.clipped)' is no value for \(option); there are \(names).")
        }
        return policy
    }
}
