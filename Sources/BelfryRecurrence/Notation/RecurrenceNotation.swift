/// A rule for dates in a standard notation, parsed from text. Its description is the normal form of that notation.
///
/// It is encoded as that text. Two rules are equal if their normal forms are.
///
/// ```swift
/// let notations: [any RecurrenceNotation.Type] = [CronExpression.self, CalendarExpression.self, RRule.self]
/// let readable = notations.filter { (try? $0.init(parsing: "0 9 * * *")) != nil }
/// print(readable)   // [BelfryRecurrence.CronExpression]
/// ```
public protocol RecurrenceNotation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Parses a rule. Throws ``RecurrenceError`` (permanent) with the column of the error.
    init(parsing text: String) throws(RecurrenceError)
}

extension RecurrenceNotation {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.message, underlyingError: error)
            )
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
