import Belfry

/// The parts of a trigger's sentence in one language. Words in braces stand for what is put in. To add a language, add
/// a table beside the others and its line to ``all``.
struct SentenceWords: Sendable {
    /// What an interval counts.
    struct Unit: Sendable {
        /// `every hour`
        let each: String
        /// `1 hour`, as it stands behind ``SentenceWords/after``.
        let one: String
        /// `{n} hours`
        let many: String
    }

    /// From Sunday.
    let weekdays: [String]
    /// From January, as they stand behind a day.
    let months: [String]
    /// How a month stands behind `the last Friday`; the same as ``months`` where nil.
    var ofMonths: [String]?
    /// First to fifth, and last, as they stand before a weekday.
    let ordinals: [String]
    /// Between the last two of a list; a comma is between the others.
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
    /// `{day}` is ``lastDay`` or ``nthWeekday``.
    let dayOfMonth: String
    /// `10 May`; the day as it is counted in a date.
    var dayAndMonth = "{day} {month}"
    var dateNumber: @Sendable (Int) -> String = { "\($0)" }
    /// `10 May 2026`
    var date = "{day} {month} {year}"

    let atTimes: String
    /// One of the times of ``atTimes``, by its hour.
    var time: @Sendable (Int) -> String = { _ in "{time}" }
    /// A date once.
    let once: String
    let from: String
    let until: String
    /// A date with a time, in the place of one alone.
    let dateAndTime: String
    let oneTime: String
    let manyTimes: String

    let hour: Unit
    let minute: Unit
    let second: Unit
    /// An interval of more than one unit, again and again.
    let every: String
    /// Once, after an interval.
    let after: String
    /// The first of the intervals has no wait.
    let startsNow: String

    static let all: [String: SentenceWords] = ["en": english, "de": german, "fr": french, "es": spanish]

    /// English where the user reads none of them.
    static func best(for languages: [String]) -> SentenceWords {
        LanguagePreference.best(of: all.keys, for: languages).flatMap { all[$0] } ?? english
    }

    func list(_ items: [String]) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + and + last
    }
}
