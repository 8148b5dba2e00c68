/// A day of the week; its number is that of ``DateFields/weekday``.
public enum Weekday: Int, Sendable, Codable, Hashable, CaseIterable {
    case sunday = 1
    case monday, tuesday, wednesday, thursday, friday, saturday

    public static let everyDay = Set(Weekday.allCases)
    /// Monday to Friday.
    public static let workdays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
}
