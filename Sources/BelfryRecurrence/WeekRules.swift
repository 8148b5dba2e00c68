/// How a calendar counts weeks.
public struct WeekRules: Sendable, Codable, Hashable {
    /// The first day of a week, 1 (Sunday) to 7 (Saturday).
    public var firstWeekday: Int
    /// How many days of a week have to lie in a year (or month) for it to be the first one of that, 1 to 7.
    public var minimumDaysInFirstWeek: Int

    /// Weeks from Sunday, the first one being that of 1 January, unless given otherwise.
    public init(firstWeekday: Int = 1, minimumDaysInFirstWeek: Int = 1) {
        self.firstWeekday = firstWeekday
        self.minimumDaysInFirstWeek = minimumDaysInFirstWeek
    }

    /// The weeks of ISO 8601: from Monday, the first one being that of 4 January.
    public static let iso8601 = WeekRules(firstWeekday: 2, minimumDaysInFirstWeek: 4)

    func validate() throws(RecurrenceError) {
        for (name, value) in [("firstWeekday", firstWeekday), ("minimumDaysInFirstWeek", minimumDaysInFirstWeek)]
        where !(1...7).contains(value) {
            throw RecurrenceError(code: .invalidComponent, message: "\(name) \(value) is not in 1–7.")
        }
    }
}
