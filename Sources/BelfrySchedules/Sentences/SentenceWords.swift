import Belfry

/// The parts of a trigger's sentence in one language, with placeholders in braces. To add a language, add a table
/// beside the others and its line to ``all``.
struct SentenceWords: Sendable {
    /// The unit of an interval.
    struct Unit: Sendable {
        /// `every hour`
        let each: String
        /// `1 hour`, in the form that follows ``SentenceWords/after``.
        let one: String
        /// `{n} hours`
        let many: String
    }

    /// The weekdays from Sunday.
    let weekdays: [String]
    /// The months from January, in the form that follows a day.
    let months: [String]
    /// The months in the form that follows `the last Friday`; nil if it is the same as ``months``.
    var ofMonths: [String]?
    /// The ordinals first to fifth, and last, in the form before a weekday.
    let ordinals: [String]
    /// The separator of the last two elements of a list; the others have a comma.
    let and: String

    let daily: String
    let everyDays: String
    /// Monday to Friday.
    let workdays: String
    let weekly: String
    /// One of the days of ``weekly``.
    var eachWeekday = "{day}"
    let everyWeeks: String
    /// One of the days of ``everyWeeks``.
    var onWeekday = "{day}"
    let monthly: String
    let everyMonths: String
    let yearly: String
    let everyYears: String

    let dayNumber: @Sendable (Int) -> String
    let lastDay: String
    let nthWeekday: String
    /// A day of a named month; `{day}` is ``lastDay`` or ``nthWeekday``.
    let dayOfMonth: String
    /// `10 May`, with the day in the form for dates.
    var dayAndMonth = "{day} {month}"
    var dateNumber: @Sendable (Int) -> String = { "\($0)" }
    /// `10 May 2026`
    var date = "{day} {month} {year}"

    let atTimes: String
    /// One of the times of ``atTimes``, depending on its hour.
    var time: @Sendable (Int) -> String = { _ in "{time}" }
    /// A single date.
    let once: String
    let from: String
    let until: String
    /// A date with a time, for use instead of a date alone.
    let dateAndTime: String
    let oneTime: String
    let manyTimes: String

    let hour: Unit
    let minute: Unit
    let second: Unit
    /// A repeated interval of more than one unit.
    let every: String
    /// A single firing after an interval.
    let after: String
    /// The addition for an interval that first fires at once.
    let startsNow: String

    static let all: [String: SentenceWords] = ["en": english, "de": german, "fr": french, "es": spanish]

    /// Returns the words of the best language; English if none of the user's languages is available.
    static func best(for languages: [String]) -> SentenceWords {
        LanguagePreference.best(of: all, for: languages) ?? english
    }

    func list(_ items: [String]) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + and + last
    }
}
