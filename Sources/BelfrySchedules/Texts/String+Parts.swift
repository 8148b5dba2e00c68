extension StringProtocol {
    /// Short enough to be quoted in a message.
    package var clipped: String { count > 80 ? prefix(79) + "…" : String(self) }

    /// The texts before and after the first separator; the second is nil where there is none.
    package func halves(at separator: Character) -> (SubSequence, SubSequence?) {
        guard let index = firstIndex(of: separator) else { return (self[...], nil) }
        return (self[..<index], self[self.index(after: index)...])
    }
}
