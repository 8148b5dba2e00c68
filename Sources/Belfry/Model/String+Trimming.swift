extension StringProtocol {
    /// The text without white space at both ends.
    package var trimmed: SubSequence {
        guard let start = firstIndex(where: { !$0.isWhitespace }),
            let end = lastIndex(where: { !$0.isWhitespace })
        else { return self[endIndex...] }
        return self[start...end]
    }
    /// Whether it has more than white space and controls.
    var isVisible: Bool { unicodeScalars.contains { !$0.properties.isWhitespace && !$0.isControl } }
}
