import Belfry

/// Why a text is no JSON.
struct JSONFault: Error, Hashable, Sendable {
    /// What was wrong, as the end of a sentence.
    let reason: String
    /// The first byte is column 1.
    let column: Int
}

/// Reads one JSON text (RFC 8259) from bytes: strictly, in one pass, in bounded depth.
///
/// Foundation's reader takes 9 µs for a usual line of batch mode, more than the answer does, and names no column.
struct JSONReader {
    static let maximumDepth = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The whole of `bytes` is one value with blanks around it. Of a name that an object has twice, the last counts.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.index == bytes.count else { throw reader.fault("something follows the value") }
        return value
    }

    private func fault(_ reason: String) -> JSONFault { JSONFault(reason: reason, column: index + 1) }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
        guard depth < Self.maximumDepth else { throw fault("it is nested deeper than \(Self.maximumDepth) levels") }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw fault("it ends where a value should be")
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[index...].starts(with: expected) else { throw fault("there is no value here") }
        index += expected.count
        return value
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONValue {
        index += 1
        var fields: [String: JSONValue] = [:]
        skipBlanks()
        guard next != UInt8(ascii: "}") else {
            index += 1
            return .object(fields)
        }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw fault("a name in quotes is missing") }
            let name = try string()
            skipBlanks()
            guard next == UInt8(ascii: ":") else { throw fault("a colon is missing") }
            index += 1
            fields[name] = try value(depth: depth + 1)
            if try isClosed(by: UInt8(ascii: "}")) { return .object(fields) }
        }
    }

    private mutating func array(depth: Int) throws(JSONFault) -> JSONValue {
        index += 1
        var elements: [JSONValue] = []
        skipBlanks()
        guard next != UInt8(ascii: "]") else {
            index += 1
            return .array(elements)
        }
        while true {
            elements.append(try value(depth: depth + 1))
            if try isClosed(by: UInt8(ascii: "]")) { return .array(elements) }
        }
    }

    /// Steps over a comma (false) or the closing bracket (true).
    private mutating func isClosed(by bracket: UInt8) throws(JSONFault) -> Bool {
        skipBlanks()
        guard let byte = next, byte == bracket || byte == UInt8(ascii: ",") else {
            throw fault("a comma or '\(Unicode.Scalar(bracket))' is missing")
        }
        index += 1
        return byte == bracket
    }

    private mutating func number() throws(JSONFault) -> JSONValue {
        let start = index
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let firstDigit = index
        var whole: Int64 = 0
        var fits = true
        while let digit = digit() {
            let (shifted, overflow) = whole.multipliedReportingOverflow(by: 10)
            let (sum, more) = shifted.addingReportingOverflow(Int64(digit))
            if overflow || more { fits = false } else { whole = sum }
        }
        guard index > firstDigit else {
            index = start
            throw fault("there is no value here")
        }
        guard bytes[firstDigit] != UInt8(ascii: "0") || index == firstDigit + 1 else {
            throw fault("a number begins with a zero")
        }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            index += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        if isWhole, fits { return .int(isNegative ? -whole : whole) }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        // Out of range is infinite here, and said to be so by whoever asks for a date.
        return .double(Double(text) ?? (isNegative ? -.infinity : .infinity))
    }

    private mutating func digit() -> UInt8? {
        guard let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        index += 1
        return byte - UInt8(ascii: "0")
    }

    private mutating func digits() throws(JSONFault) {
        guard digit() != nil else { throw fault("a digit is missing") }
        while digit() != nil {}
    }

    private mutating func string() throws(JSONFault) -> String {
        index += 1
        let start = index
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { index += 1 }
        guard next == UInt8(ascii: "\"") else { return try escapedString(from: start) }
        let text = String(validating: bytes[start..<index], as: UTF8.self)
        guard let text else { throw fault("the text before this is not UTF-8") }
        index += 1
        return text
    }

    private mutating func escapedString(from start: Int) throws(JSONFault) -> String {
        var collected = Array(bytes[start..<index])
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: collected, as: UTF8.self) else {
                    throw fault("the text before this is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"): collected.append(contentsOf: String(try escape()).utf8)
            case ..<0x20:
                index -= 1
                throw fault("a control character stands in a text; escape it")
            default: collected.append(byte)
            }
        }
        throw fault("a text has no end")
    }

    private mutating func escape() throws(JSONFault) -> Unicode.Scalar {
        guard let byte = next else { throw fault("a text has no end") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw fault("'\\\(Unicode.Scalar(byte))' is no escape")
        }
    }

    /// Four digits, or a pair of surrogates of four digits each.
    private mutating func unicodeEscape() throws(JSONFault) -> Unicode.Scalar {
        let first = try hexDigits()
        guard (0xD800...0xDBFF).contains(first) else {
            guard let scalar = Unicode.Scalar(first) else { throw fault("half of a surrogate pair stands alone") }
            return scalar
        }
        guard next == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "u") else {
            throw fault("half of a surrogate pair stands alone")
        }
        index += 2
        let second = try hexDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("half of a surrogate pair stands alone") }
        return scalar
    }

    private mutating func hexDigits() throws(JSONFault) -> UInt32 {
        guard index + 4 <= bytes.count else { throw fault("four hexadecimal digits are missing") }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, bytes[index] < 0x80 else {
                throw fault("a hexadecimal digit is missing")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}
