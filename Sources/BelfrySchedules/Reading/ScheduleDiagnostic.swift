public import Belfry

/// One error in a schedule file.
public struct ScheduleDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of diagnostic it is.
    public let code: NoticeError.Code
    /// Which value, such as `notices[1].trigger.every`; empty where it is the file as a whole.
    public let path: String
    /// Nil where there is no position to show, such as for a file that can't be read.
    public internal(set) var position: TextPosition?
    /// The bad value and what to write instead.
    public let message: String
    /// The line and a caret below the position, where the text itself is wrong.
    public internal(set) var excerpt: String?

    public var description: String {
        let lineAndColumn = position.map { "line \($0.line), column \($0.column)" }
        let text =
            path.isEmpty
            ? (lineAndColumn.map { "\($0): " } ?? "") + message
            : "\(path): \(message)" + (lineAndColumn.map { " (\($0))" } ?? "")
        return text + (excerpt.map { "\n\($0)" } ?? "")
    }
}

/// All errors of a schedule file, in the order of the file; no more than ``ScheduleError/limit``.
public struct ScheduleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The most diagnostics that are listed.
    public static let limit = 100

    /// The file, as it was named.
    public let source: String
    /// At least one.
    public let diagnostics: [ScheduleDiagnostic]

    /// One for each diagnostic, with the file's name in front.
    public var lines: [String] { diagnostics.map { "\(source): \($0)" } }

    public var description: String { lines.joined(separator: "\n") }
}

extension NoticeError.Code {
    /// Something in a schedule file can't be read, or contradicts itself. Permanent: the message says what to write.
    public static let invalidSchedule = Self(rawValue: "invalidSchedule")
}
