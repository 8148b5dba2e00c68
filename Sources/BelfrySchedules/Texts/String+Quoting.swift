extension StringProtocol {
    /// Short enough to be quoted in a message.
    package var clipped: String { count > 80 ? prefix(79) + "…" : String(self) }

    /// Without spaces and tabs at both ends.
    package var trimmed: SubSequence {
        guard let start = firstIndex(where: { !$0.isWhitespace }),
            let end = lastIndex(where: { !$0.isWhitespace })
        else { return self[endIndex...] }
        return self[start...end]
    }
}
