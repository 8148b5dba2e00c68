/// The reason and the position of an error in JSON5 or JSON.
package struct JSON5Error: Error, Hashable, Sendable {
    /// The reason, as the end of a sentence.
    package let reason: String
    package let offset: Int
}
