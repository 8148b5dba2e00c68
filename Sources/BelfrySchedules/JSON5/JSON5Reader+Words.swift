import BelfryRecurrence

extension JSON5Reader {
    /// Skips white space and comments.
    mutating func skipBlanks() throws(JSON5Error) {
        while let byte = next {
            switch byte {
            case 0x09, 0x0A, 0x0D, 0x20: index += 1
            case _ where isStrict: return
            case 0x0B, 0x0C: index += 1
            case UInt8(ascii: "/"): try skipComment()
            case 0x80...:
                guard let scalar = scalar(), Self.isBlank(scalar) else { return }
                index += UTF8.width(scalar)
            default: return
            }
        }
    }

    private mutating func skipComment() throws(JSON5Error) {
        let start = index
        let isBlock = isFollowed(by: "*")
        guard isBlock || isFollowed(by: "/") else {
            throw error("a slash alone means nothing here; a comment begins with // or /*")
        }
        index += 2
        while let byte = next {
            if isBlock, byte == UInt8(ascii: "*"), isFollowed(by: "/") {
                index += 2
                return
            }
            if !isBlock, byte == 0x0A || byte == 0x0D { return }
            if !isBlock, byte == 0xE2, let scalar = scalar(), scalar == "\u{2028}" || scalar == "\u{2029}" { return }
            index += 1
        }
        if isBlock { throw error("the comment that begins here has no end", at: start) }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{FEFF}" || scalar == "\u{2028}" || scalar == "\u{2029}"
            || scalar.properties.generalCategory == .spaceSeparator
    }

    /// The character at the current position.
    func scalar() -> Unicode.Scalar? {
        var decoder = UTF8()
        var iterator = bytes[index..<min(index + 4, bytes.count)].makeIterator()
        if case .scalarValue(let scalar) = decoder.decode(&iterator) { return scalar }
        return nil
    }

    /// Reads an IdentifierName of ECMAScript 5.1: a key without quotes.
    mutating func identifier() throws(JSON5Error) -> String {
        let start = index
        var name = String.UnicodeScalarView()
        while let byte = next, !isStrict || byte < 0x80 {
            let before = index
            let scalar: Unicode.Scalar
            if byte == UInt8(ascii: "\\") {
                guard !isStrict, isFollowed(by: "u") else { break }
                index += 2
                scalar = try unicodeEscape()
            } else {
                guard let found = self.scalar() else { break }
                scalar = found
                index += UTF8.width(found)
            }
            guard Self.isNamePart(scalar, first: name.isEmpty) else {
                index = before
                break
            }
            name.append(scalar)
        }
        guard !name.isEmpty else {
            throw error("a key is missing here: a name, or a text in quotes", at: start)
        }
        return String(name)
    }

    private static func isNamePart(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            return true
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation:
            return !first || scalar == "_"
        default:
            return scalar == "$" || (!first && (scalar == "\u{200C}" || scalar == "\u{200D}"))
        }
    }

    // MARK: Numbers

    mutating func number() throws(JSON5Error) -> JSONNode.Value {
        let start = index
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        if !isStrict, nextIs("I") || nextIs("N") {
            switch try? identifier() {
            case "Infinity": return .number(isNegative ? -.infinity : .infinity)
            case "NaN": return .number(.nan)
            default: throw error("there is no value here", at: start)
            }
        }
        if !isStrict, nextIs("0"), isFollowed(by: "x") || isFollowed(by: "X") {
            return try hexadecimal(isNegative)
        }
        let whole = digits()
        guard !(whole.count > 1 && whole.first == UInt8(ascii: "0")) else {
            throw error("a number begins with a zero", at: start)
        }
        let hasPoint = skip(".")
        let fraction = hasPoint ? digits() : []
        guard !whole.isEmpty || !fraction.isEmpty else { throw error("there is no value here", at: start) }
        guard !isStrict || (!whole.isEmpty && hasPoint != fraction.isEmpty) else { throw error("a digit is missing") }
        var exponent: String?
        if skip("e") || skip("E") {
            let sign = skip("-") ? "-" : ""
            if sign.isEmpty { _ = skip("+") }
            let power = digits()
            guard !power.isEmpty else { throw error("a digit is missing") }
            exponent = sign + String(decoding: power, as: UTF8.self)
        }
        try checkEndOfNumber()
        // Swift requires a digit on both sides of the point.
        let number = (isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self))
        if !hasPoint, exponent == nil, let value = Int64(number) { return .integer(value) }
        let text = "\(number).\(String(decoding: fraction, as: UTF8.self))0e\(exponent ?? "0")"
        return .number(Double(text) ?? (isNegative ? -.infinity : .infinity))
    }

    private mutating func hexadecimal(_ isNegative: Bool) throws(JSON5Error) -> JSONNode.Value {
        index += 2
        let first = index
        while let byte = next, Self.hexDigit(byte) != nil { index += 1 }
        guard index > first else { throw error("a hexadecimal digit is missing") }
        try checkEndOfNumber()
        let digits = String(decoding: bytes[first..<index], as: UTF8.self)
        if let value = Int64((isNegative ? "-" : "") + digits, radix: 16) { return .integer(value) }
        let magnitude = bytes[first..<index].reduce(0.0) { $0 * 16 + Double(Self.hexDigit($1) ?? 0) }
        return .number(isNegative ? -magnitude : magnitude)
    }

    /// Rejects `12abc`, which is neither a number nor a number and a word.
    private func checkEndOfNumber() throws(JSON5Error) {
        guard let byte = next, byte.isLetter || byte == UInt8(ascii: "_") || byte.isDigit else { return }
        throw error("a number ends here, and something follows it without a blank")
    }

    private mutating func digits() -> ArraySlice<UInt8> {
        let start = index
        while let byte = next, byte.isDigit { index += 1 }
        return bytes[start..<index]
    }

    static func hexDigit(_ byte: UInt8) -> UInt32? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt32($0) }
    }
}
