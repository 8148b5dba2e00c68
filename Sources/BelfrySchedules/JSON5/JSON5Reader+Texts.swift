import BelfryRecurrence

extension JSON5Reader {
    /// Reads a text in single or double quotes.
    mutating func string() throws(JSON5Error) -> String {
        let start = index
        let quote = bytes[index]
        index += 1
        // Most texts have no escapes, and need no intermediate copy.
        while let byte = next, byte != quote, byte != UInt8(ascii: "\\"), byte >= 0x20 { index += 1 }
        let plain = bytes[(start + 1)..<index]
        if next == quote {
            index += 1
            return String(decoding: plain, as: UTF8.self)
        }
        var collected = Array(plain)
        while let byte = next {
            switch byte {
            case quote:
                index += 1
                return String(decoding: collected, as: UTF8.self)
            case UInt8(ascii: "\\"):
                index += 1
                if let scalar = try escape(start) { collected.append(contentsOf: String(scalar).utf8) }
            case 0x0A, 0x0D:
                throw error(
                    "the text that begins here does not end in its line; a line break is written \\n",
                    at: start
                )
            case ..<0x20 where isStrict: throw error("a control character stands in a text; escape it")
            default:
                collected.append(byte)
                index += 1
            }
        }
        throw error("the text that begins here has no end", at: start)
    }

    /// Reads an escape after the backslash; nil if it is an escaped line break.
    private mutating func escape(_ start: Int) throws(JSON5Error) -> Unicode.Scalar? {
        guard let byte = next else { throw error("the text that begins here has no end", at: start) }
        let position = index - 1
        guard !isStrict || "\"\\/bfnrtu".utf8.contains(byte) else {
            throw error("this is no escape of JSON", at: position)
        }
        guard byte < 0x80 else {
            guard let scalar = scalar() else { throw error("this is not UTF-8") }
            index += UTF8.width(scalar)
            return scalar == "\u{2028}" || scalar == "\u{2029}" ? nil : scalar
        }
        index += 1
        switch byte {
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "v"): return "\u{0B}"
        case UInt8(ascii: "0"):
            guard let digit = next, digit.isDigit else { return "\0" }
            throw error("'\\0' is followed by a digit", at: position)
        case UInt8(ascii: "1")...UInt8(ascii: "9"):
            throw error("a backslash before a digit means nothing", at: position)
        case UInt8(ascii: "x"): return Unicode.Scalar(UInt8(try hexDigits(2)))
        case UInt8(ascii: "u"): return try unicodeEscape()
        case 0x0A: return nil
        case 0x0D:
            _ = skip("\n")
            return nil
        default: return Unicode.Scalar(byte)
        }
    }

    /// Reads four digits, or a surrogate pair of four digits each. The caller has skipped the prefix.
    mutating func unicodeEscape() throws(JSON5Error) -> Unicode.Scalar {
        let position = index - 2
        let first = try hexDigits(4)
        guard (0xD800...0xDFFF).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        guard first < 0xDC00, nextIs("\\"), isFollowed(by: "u") else {
            throw error("half of a surrogate pair stands alone", at: position)
        }
        index += 2
        let second = try hexDigits(4)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error("half of a surrogate pair stands alone", at: position) }
        return scalar
    }

    private mutating func hexDigits(_ count: Int) throws(JSON5Error) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let byte = next, let digit = Self.hexDigit(byte) else {
                throw error("a hexadecimal digit is missing")
            }
            value = value << 4 | digit
            index += 1
        }
        return value
    }
}
