/// What was wrong with a ticket. All of them are permanent: say it another way.
public enum TicketError: Error, Sendable, Hashable, CustomStringConvertible {
    case noTitle
    case notADate(String)
    case noSuchDate(String)
    case noZone(String)
    /// The moment of the reminder is past.
    case tooLate(title: String)

    public var description: String {
        switch self {
        case .noTitle: "The ticket has no title: say what it is for."
        case .notADate(let text):
            "'\(text.prefix(80))' is no ISO 8601 date: write it as 2026-12-24T19:00:00+01:00, or 2026-12-24 for the day."
        case .noSuchDate(let text): "There is no date '\(text)': look at its day, its time and its zone."
        case .noZone(let text): "'\(text)' does not say in which zone: add it, as in 19:00:00+01:00, or Z for UTC."
        case .tooLate(let title): "It is too late for a reminder of '\(title)': it would have come already."
        }
    }
}
