import BelfryRecurrence
import BirthdayTrackerKit

/// What the command line asks for.
enum Invocation {
    case add(Person)
    case remove(name: String)
    case list(leapDay: MissingDatePolicy)
    case run(leapDay: MissingDatePolicy)

    static let usage = """
        usage: birthday-tracker add NAME DATE        DATE is 1990-05-10, or 05-10 without the year
               birthday-tracker remove NAME
               birthday-tracker list [--leap-day WHEN]
               birthday-tracker run [--leap-day WHEN]
        WHEN is 29 February in common years: nextDay (the default), lastDayOfMonth or skip.
        """

    /// Nil where the usage is to be shown. Throws ``BirthdayError`` for a name or a date that can't be.
    init?(_ arguments: [String]) throws(BirthdayError) {
        switch (arguments.first, arguments.count) {
        case ("add", 3):
            self = .add(try Person(name: arguments[1], birthday: Birthday(reading: arguments[2])))
        case ("remove", 2): self = .remove(name: arguments[1])
        case ("list", _):
            guard let leapDay = Self.leapDay(arguments.dropFirst()) else { return nil }
            self = .list(leapDay: leapDay)
        case ("run", _):
            guard let leapDay = Self.leapDay(arguments.dropFirst()) else { return nil }
            self = .run(leapDay: leapDay)
        default: return nil
        }
    }

    private static func leapDay(_ options: ArraySlice<String>) -> MissingDatePolicy? {
        if options.isEmpty { return .nextDay }
        guard options.count == 2, options.first == "--leap-day" else { return nil }
        return options.last.flatMap(MissingDatePolicy.init)
    }
}
