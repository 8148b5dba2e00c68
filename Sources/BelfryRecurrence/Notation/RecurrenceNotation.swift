/// A rule for dates in a notation of its own: read from a text, and printed in the normal form of that notation.
///
/// Encoded as that text, and equal when the normal forms are.
public protocol RecurrenceNotation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// - Throws: ``RecurrenceError`` with the column of what is wrong.
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
