extension String {
    /// Returns the text without directional formatting that is unbalanced in its line, and how many characters were
    /// removed. An unended override would reverse what a server adds after it, and `exe.gpj` would read as `jpg.exe`
    /// (Unicode Standard Annex 9, X1 to X8).
    func directionsBalanced() -> (text: String, removed: Int) {
        guard unicodeScalars.contains(where: { Direction($0) != nil }) else { return (self, 0) }
        let scalars = Array(unicodeScalars)
        var removed: Set<Int> = []
        var open: [(index: Int, isIsolate: Bool)] = []
        func removeOpen() {
            removed.formUnion(open.map(\.index))
            open = []
        }
        for (index, scalar) in scalars.enumerated() {
            if scalar == "\n" { removeOpen() }
            switch Direction(scalar) {
            case .isolate: open.append((index, true))
            case .embedding: open.append((index, false))
            case .endOfEmbedding:
                if open.last?.isIsolate == false { open.removeLast() } else { removed.insert(index) }
            case .endOfIsolate:
                // This also ends embeddings inside the isolate.
                if let begin = open.lastIndex(where: \.isIsolate) {
                    open.removeSubrange(begin...)
                } else {
                    removed.insert(index)
                }
            case nil: break
            }
        }
        removeOpen()
        var kept = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() where !removed.contains(index) { kept.append(scalar) }
        return (String(kept), removed.count)
    }
}

private enum Direction {
    case embedding, endOfEmbedding, isolate, endOfIsolate

    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x202A, 0x202B, 0x202D, 0x202E: self = .embedding
        case 0x202C: self = .endOfEmbedding
        case 0x2066...0x2068: self = .isolate
        case 0x2069: self = .endOfIsolate
        default: return nil
        }
    }
}
