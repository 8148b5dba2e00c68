extension String {
    /// Returns the text without control characters except newline and tab, and how many were removed. They would end a
    /// D-Bus connection, or control a terminal.
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

    /// Returns the first `limit` characters, and whether the text was cut. A character of many scalars (a letter with a
    /// thousand accents) counts as several and can be cut: servers lay out scalars, and some hang on such characters.
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

    /// The maximum bytes of one text on D-Bus, regardless of its characters: some servers hang on more.
    static let mostBytesShown = 8_192

    /// Returns the first characters with at most `limit` bytes, and whether the text was cut. If the first character
    /// alone is longer, it is cut.
    ///
    /// - Parameter escaped: Whether to count the bytes after escaping markup.
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

    /// The length in bytes after escaping markup.
    var escapedLength: Int { unicodeScalars.reduce(0) { $0 + $1.length(escaped: true) } }

    /// The number of characters as ``cut(to:)`` counts them.
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

    /// Scalars per counted character. A letter with two accents has 3, a family of four 7, the flag of Scotland 7.
    private static let mostPartsOfACharacter = 32

    private func shownLength(from start: Index, to end: Index) -> Int {
        // Most characters are short: counting bytes is fast, and counting scalars is not.
        guard utf8.distance(from: start, to: end) > Self.mostPartsOfACharacter else { return 1 }
        let parts = unicodeScalars.distance(from: start, to: end)
        return (parts + Self.mostPartsOfACharacter - 1) / Self.mostPartsOfACharacter
    }
}

extension Unicode.Scalar {
    /// The bytes of `&quot;`.
    fileprivate static let mostEscapedBytes = 6

    /// The length in UTF-8 bytes.
    fileprivate func length(escaped: Bool) -> Int {
        guard escaped, let entity else { return UTF8.width(self) }
        return entity.utf8.count + "&;".utf8.count
    }

    /// Whether it is a C0 or C1 control or DEL, including newline and tab.
    package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    /// Whether a server can't show it. This includes the carriage return, which becomes a newline in texts, and U+FFFE
    /// and U+FFFF, which XML does not allow.
    var isUnshowable: Bool {
        isControl ? self != "\n" && self != "\t" : value == 0xFFFE || value == 0xFFFF
    }
}
