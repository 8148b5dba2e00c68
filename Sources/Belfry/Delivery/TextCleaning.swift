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

    /// The most bytes of one text on the bus, whatever its characters are: some servers hang on more.
    static let mostBytesShown = 8_192

    /// The first characters that have no more than `limit` bytes, and whether that was less than all. Where the first
    /// one has more by itself it is cut within.
    ///
    /// - Parameter escaped: the bytes are counted as they are once markup is escaped.
    func cut(toBytes limit: Int, escaped: Bool = false) -> (text: String, isCut: Bool) {
        guard utf8.count > (escaped ? limit / Unicode.Scalar.mostEscapedBytes : limit) else { return (self, false) }
        var left = max(0, limit)
        var index = startIndex
        while index < endIndex {
            let next = self.index(after: index)
            let parts = unicodeScalars[index..<next]
            let length = parts.reduce(0) { $0 + $1.length(escaped: escaped) }
            guard length <= left else {
                guard index == startIndex else { return (String(self[..<index]), true) }
                let fitting = parts.prefix { part in
                    left -= part.length(escaped: escaped)
                    return left >= 0
                }
                return (String(fitting), true)
            }
            left -= length
            index = next
        }
        return (self, false)
    }

    /// How many bytes it has once markup is escaped.
    var escapedLength: Int { unicodeScalars.reduce(0) { $0 + $1.length(escaped: true) } }

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
    /// `&quot;`
    fileprivate static let mostEscapedBytes = 6

    /// Bytes in UTF-8.
    fileprivate func length(escaped: Bool) -> Int {
        guard escaped else { return UTF8.width(self) }
        return switch self {
        case "&": 5
        case "<", ">": 4
        case "\"", "'": Self.mostEscapedBytes
        default: UTF8.width(self)
        }
    }

    /// C0 and C1 controls and DEL, newline and tab as well.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    /// A carriage return counts as well: in texts it becomes a newline. U+FFFE and U+FFFF are no characters: XML has no
    /// place for them.
    var isUnshowable: Bool {
        isControl ? self != "\n" && self != "\t" : value == 0xFFFE || value == 0xFFFF
    }
}
