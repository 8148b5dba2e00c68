extension String {
    /// The text without control characters but newline and tab: those end a D-Bus connection, or do mischief on a
    /// terminal. `removed` counts what was taken out.
    func cleaned() -> (text: String, removed: Int) {
        guard unicodeScalars.contains(where: \.isUnshowable) else { return (self, 0) }
        var scalars = String.UnicodeScalarView()
        var removed = 0
        var previous: Unicode.Scalar?
        for scalar in unicodeScalars {
            switch scalar {
            case "\r": scalars.append("\n")
            case "\n" where previous == "\r": break
            case _ where scalar.isUnshowable: removed += 1
            default: scalars.append(scalar)
            }
            previous = scalar
        }
        return (String(scalars), removed)
    }

    /// The first `limit` characters, and whether that was less than all.
    func cut(to limit: Int?) -> (text: String, isCut: Bool) {
        guard let limit, let end = index(startIndex, offsetBy: max(0, limit), limitedBy: endIndex), end < endIndex
        else {
            return (self, false)
        }
        return (String(self[..<end]), true)
    }
}

extension Unicode.Scalar {
    /// C0 and C1 controls and DEL, newline and tab as well.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    /// A carriage return counts as well: in texts it becomes a newline. U+FFFE and U+FFFF are no characters: XML has no place for
    /// them.
    var isUnshowable: Bool {
        isControl ? self != "\n" && self != "\t" : value == 0xFFFE || value == 0xFFFF
    }
}
