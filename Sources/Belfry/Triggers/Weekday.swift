/// A day of the week; its number is that of ``DateFields/weekday``.
public enum Weekday: Int, Sendable, Codable, Hashable, CaseIterable {
    case sunday = 1
    case monday, tuesday, wednesday, thursday, friday, saturday

    /// Monday to Friday.
    public static let workdays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
}
