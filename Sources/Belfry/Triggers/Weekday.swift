/// A day of the week; its number is that of ``BelfryRecurrence/DateFields/weekday``.
public enum Weekday: Int, Sendable, Codable, Hashable, CaseIterable {
    /// 1.
    case sunday = 1
    /// 2.
    case monday
    /// 3.
    case tuesday
    /// 4.
    case wednesday
    /// 5.
    case thursday
    /// 6.
    case friday
    /// 7.
    case saturday

    /// All seven days.
    public static let everyDay = Set(Weekday.allCases)
    /// Monday to Friday.
    public static let workdays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
}
