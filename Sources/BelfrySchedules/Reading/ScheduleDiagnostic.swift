import Belfry

/// One thing that is wrong with a schedule file.
public struct ScheduleDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
    public let code: NoticeError.Code
    /// Which value, such as `notices[1].trigger.every`; empty where it is the file as a whole.
    public let path: String
    /// Nil where there is no place to show, such as for a file that can't be read.
    public let position: TextPosition?
    /// The bad value and what to write instead.
    public let message: String
    /// The line and a caret below the place, where the text itself is at fault.
    public let excerpt: String?

    public init(
        _ code: NoticeError.Code = .invalidSchedule,
        path: String,
        position: TextPosition?,
        message: String,
        excerpt: String? = nil
    ) {
        self.code = code
        self.path = path
        self.position = position
        self.message = message
        self.excerpt = excerpt
    }

    public var description: String {
        let place = position.map { "line \($0.line), column \($0.column)" }
        if path.isEmpty { return (place.map { "\($0): " } ?? "") + message + (excerpt.map { "\n\($0)" } ?? "") }
        return "\(path): \(message)" + (place.map { " (\($0))" } ?? "") + (excerpt.map { "\n\($0)" } ?? "")
    }
}

/// Everything that is wrong with a schedule file, in the order in which it stands there; no more than
/// ``ScheduleError/limit``.
public struct ScheduleError: Error, Sendable, Hashable, CustomStringConvertible {
    public static let limit = 100

    /// The file, as it was named.
    public let source: String
    /// At least one.
    public let faults: [ScheduleDiagnostic]

    public init(_ source: String, _ faults: [ScheduleDiagnostic]) {
        self.source = source
        self.faults = faults
    }

    /// One for each fault, with the file's name in front.
    public var lines: [String] { faults.map { "\(source): \($0)" } }

    public var description: String { lines.joined(separator: "\n") }
}

extension NoticeError.Code {
    /// Something in a schedule file can't be read, or contradicts itself. Permanent: the message says what to write.
    public static let invalidSchedule = Self(rawValue: "invalidSchedule")
}
