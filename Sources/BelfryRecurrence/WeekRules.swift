/// The rules by which a calendar counts weeks.
///
/// ```swift
/// let firstMonday = DateFields(weekday: 2, weekOfYear: 1, hour: 9)
/// let pattern = try DatePattern(matching: [firstMonday], zone: .system(), weeks: .iso8601)
/// ```
public struct WeekRules: Sendable, Codable, Hashable {
    /// The first day of a week, 1 (Sunday) to 7 (Saturday).
    public var firstWeekday: Int
    /// The number of days that the first week of a year (or month) must have in it, 1 to 7.
    public var minimumDaysInFirstWeek: Int

    /// Creates week rules. By default, weeks begin on Sunday, and the first one contains 1 January.
    public init(firstWeekday: Int = 1, minimumDaysInFirstWeek: Int = 1) {
        self.firstWeekday = firstWeekday
        self.minimumDaysInFirstWeek = minimumDaysInFirstWeek
    }

    /// The weeks of ISO 8601, which begin on Monday; the first one contains 4 January.
    public static let iso8601 = WeekRules(firstWeekday: 2, minimumDaysInFirstWeek: 4)

    /// Returns the first day of the first week of a month or a year, in days from the first day of that period, −6 to
    /// 6.
    /// - Parameter weekday: the weekday on which the period begins; 0 is Sunday.
    func firstWeek(from weekday: Int) -> Int {
        let back = (weekday - (firstWeekday - 1) + 7) % 7
        return 7 - back >= minimumDaysInFirstWeek ? -back : 7 - back
    }

    /// Returns the week of a month or a year; 0 if the week belongs to the previous one.
    /// - Parameters:
    ///   - day: the number of the day in the month or the year.
    ///   - weekday: its weekday; 0 is Sunday.
    func week(ofDay day: Int, weekday: Int) -> Int {
        (day + 6 - firstWeek(from: ((weekday - day + 1) % 7 + 7) % 7)) / 7
    }

    func validate() throws(RecurrenceError) {
        for (name, value) in [("firstWeekday", firstWeekday), ("minimumDaysInFirstWeek", minimumDaysInFirstWeek)]
        where !(1...7).contains(value) {
            throw RecurrenceError(code: .invalidComponent, message: "\(name) \(value) is not in 1–7.")
        }
    }
}
