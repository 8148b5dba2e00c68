/// What was wrong with the input of the tracker. All of them are permanent.
public enum BirthdayError: Error, Sendable, Hashable, CustomStringConvertible {
    case notADate(String)
    case noSuchDay(String)
    case noName
    case nameTooLong(bytes: Int)
    case unreadableFile(path: String, reason: String)
    case unwritableFile(path: String, reason: String)

    public var description: String {
        switch self {
        case .notADate(let text): "'\(text)' is not a date: write it as 1990-05-10, or 05-10 without the year."
        case .noSuchDay(let date): "There is no day \(date): month and day must exist, 29 February in a leap year."
        case .noName: "The name is empty: say whose birthday it is."
        case .nameTooLong(let bytes): "The name has \(bytes) bytes: \(Person.longestName) is the most."
        case .unreadableFile(let path, let reason): "The people in \(path) can't be read: \(reason)"
        case .unwritableFile(let path, let reason): "The people can't be stored in \(path): \(reason)"
        }
    }
}
