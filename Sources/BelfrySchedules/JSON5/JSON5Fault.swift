/// Why a text is no JSON5, and where.
struct JSON5Fault: Error, Hashable, Sendable {
    /// The end of a sentence.
    let reason: String
    let offset: Int
}
