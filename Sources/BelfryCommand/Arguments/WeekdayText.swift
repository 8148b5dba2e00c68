import Belfry
import BelfryRecurrence
import BelfrySchedules

/// Weekdays in systemd.time's form: `Mon..Fri`, `Sat,Sun`, `Fri..Mon`. Full names are accepted too.
enum WeekdayText {
    static func parse(_ text: String) throws(NoticeError) -> Set<Weekday> {
        var days: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
            let numbers = ends.compactMap { ComponentName.weekday(String($0.trimmed)) }
            guard numbers.count == ends.count, var day = numbers.first, let last = numbers.last else {
                throw .unreadable("--on: '\(text.clipped)' are no weekdays; write them as Mon..Fri or Sat,Sun.")
            }
            days.insert(day)
            while day != last {
                day = day % 7 + 1
                days.insert(day)
            }
        }
        return Set(days.compactMap(Weekday.init(rawValue:)))
    }

    /// Returns the weekdays in words, from Monday, such as `Mon, Tue, Sun`.
    static func text(_ days: Set<Weekday>) -> String {
        (Weekday.allCases[1...] + [.sunday]).filter(days.contains)
            .map { CalendarNames.shortWeekdays[$0.rawValue - 1] }.joined(separator: ", ")
    }
}
