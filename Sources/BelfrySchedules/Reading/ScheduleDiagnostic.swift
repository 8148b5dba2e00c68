public import Belfry

/// One error in a schedule file.
///
/// ```swift
/// do throws(ScheduleError) {
///     _ = try NoticeSchedule(contentsOf: "/etc/tea/schedule.json")
/// } catch {
///     for diagnostic in error.diagnostics { print(diagnostic.path, diagnostic.message) }
/// }
/// ```
public struct ScheduleDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of diagnostic.
    public let code: NoticeError.Code
    /// The path of the value, such as `notices[1].trigger.every`; empty for the file as a whole.
    public let path: String
    /// The position in the file; nil if there is none, such as for a file that can't be read.
    public internal(set) var position: TextPosition?
    /// The bad value, and what to write instead.
    public let message: String
    /// The line with a caret below the position, if the error is in the syntax.
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

/// All errors of a schedule file, in the order of the file, up to ``ScheduleError/limit``.
///
/// ```swift
/// do throws(ScheduleError) {
///     _ = try NoticeSchedule(parsing: "{ notices: 3 }", named: "tea.json5")
/// } catch {
///     for line in error.lines { print(line) }   // each begins with "tea.json5: "
/// }
/// ```
public struct ScheduleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The maximum number of diagnostics.
    public static let limit = 100

    /// The name of the file.
    public let source: String
    /// The diagnostics; at least one.
    public let diagnostics: [ScheduleDiagnostic]

    /// One line for each diagnostic, prefixed with the file's name.
    public var lines: [String] { diagnostics.map { "\(source): \($0)" } }

    public var description: String { lines.joined(separator: "\n") }
}

extension NoticeError.Code {
    /// A part of a schedule file can't be read, or contradicts another. Permanent: the message names what to write.
    public static let invalidSchedule = Self(rawValue: "invalidSchedule")
}
