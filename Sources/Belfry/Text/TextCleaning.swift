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

    /// The first `limit` characters, and whether that was less than all. A character of many parts (a letter with a
    /// thousand accents) counts as several, and is cut within: servers lay out parts, and some hang on them.
    func cut(to limit: Int?) -> (text: String, isCut: Bool) {
        guard var left = limit.map({ max(0, $0) }), utf8.count > left else { return (self, false) }
        var index = startIndex
        while index < endIndex {
            let next = self.index(after: index)
            let length = shownLength(from: index, to: next)
            guard length <= left else {
                let parts = length > 1 ? left * Self.mostPartsOfACharacter : 0
                return (String(self[..<index]) + String(unicodeScalars[index..<next].prefix(parts)), true)
            }
            left -= length
            index = next
        }
        return (self, false)
    }

    /// How many characters ``cut(to:)`` takes the text for.
    var shownLength: Int {
        var length = 0
        var index = startIndex
        while index < endIndex {
            let next = self.index(after: index)
            length += shownLength(from: index, to: next)
            index = next
        }
        return length
    }

    /// A letter with two accents has 3, a family of four 7, the flag of Scotland 7.
    private static let mostPartsOfACharacter = 32

    private func shownLength(from start: Index, to end: Index) -> Int {
        // Most characters are short: bytes are counted at once, scalars one by one.
        guard utf8.distance(from: start, to: end) > Self.mostPartsOfACharacter else { return 1 }
        let parts = unicodeScalars.distance(from: start, to: end)
        return (parts + Self.mostPartsOfACharacter - 1) / Self.mostPartsOfACharacter
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
