/// Why a text is no JSON5, or no JSON, and where.
package struct JSON5Error: Error, Hashable, Sendable {
    /// The end of a sentence.
    package let reason: String
    package let offset: Int
}
