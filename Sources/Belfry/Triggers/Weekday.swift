/// A day of the week, numbered like ``BelfryRecurrence/DateFields/weekday``.
///
/// ```swift
/// let bins: Set<Weekday> = [.monday, .thursday]
/// let request = NoticeRequest(id: "bins", title: "Put the bins out", trigger: .weekly(on: bins, at: "7:00"))
/// ```
public enum Weekday: Int, Sendable, Codable, Hashable, CaseIterable {
    /// Number 1.
    case sunday = 1
    /// Number 2.
    case monday
    /// Number 3.
    case tuesday
    /// Number 4.
    case wednesday
    /// Number 5.
    case thursday
    /// Number 6.
    case friday
    /// Number 7.
    case saturday

    /// All seven days.
    public static let everyDay = Set(Weekday.allCases)
    /// Monday to Friday.
    public static let workdays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
}
