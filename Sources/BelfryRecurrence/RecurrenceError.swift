/// An error in a rule for dates, described in a full sentence that names the bad value and the correct form.
///
/// Every code is permanent: the same input fails again. Only ``Code/unknownZone`` may disappear by itself, when the
/// machine's zone data is installed or updated.
///
/// ```swift
/// do throws(RecurrenceError) {
///     _ = try CronExpression(parsing: "0 25 * * *")
/// } catch {
///     print(error.message, error.column ?? 0)   // column 3
/// }
/// ```
public struct RecurrenceError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The stable name of a kind of error. It is a struct, not an enum, so that a new code breaks no caller's `switch`.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { rawValue }

        /// A component is outside its range, or no component is given at all.
        public static let invalidComponent = Code(rawValue: "invalidComponent")
        /// Every component is in range, but no date has all of them.
        public static let impossibleDate = Code(rawValue: "impossibleDate")
        /// A text doesn't follow the grammar of its notation; `column` has the position.
        public static let invalidNotation = Code(rawValue: "invalidNotation")
        /// Neither the system's zone data nor Foundation knows the zone.
        public static let unknownZone = Code(rawValue: "unknownZone")
        /// A calendar other than the Gregorian was requested without BelfryCalendars, or on a machine without ICU.
        public static let calendarUnavailable = Code(rawValue: "calendarUnavailable")
        /// The input is larger than the engine accepts.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
    }

    /// The kind of error.
    public let code: Code
    /// A full sentence with the bad value and the values that are accepted.
    public let message: String
    /// The position of the error in a notation; the first character is column 1. `nil` if there is no text.
    public let column: Int?

    /// Creates an error.
    public init(code: Code, message: String, column: Int? = nil) {
        self.code = code
        self.message = message
        self.column = column
    }

    public var description: String { message }
}
