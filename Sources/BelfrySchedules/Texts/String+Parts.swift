extension StringProtocol {
    /// The text, shortened for a message.
    package var clipped: String { count > 80 ? prefix(79) + "…" : String(self) }

    /// Returns the texts before and after the first separator; the second is nil if there is none.
    package func halves(at separator: Character) -> (SubSequence, SubSequence?) {
        guard let index = firstIndex(of: separator) else { return (self[...], nil) }
        return (self[..<index], self[self.index(after: index)...])
    }
}
