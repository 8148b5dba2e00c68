package import Belfry

/// Writes JSON as bytes, with fields in the given order.
package struct JSONText: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    package mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes a JSON string. Quotes, backslashes and control characters are escaped (RFC 8259, section 7). So are
    /// characters that the RFC allows, but that some terminals interpret (DEL, the C1 controls U+0080 to U+009F) or
    /// some parsers treat as line ends (U+2028, U+2029).
    package mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var (last, lastButOne): (UInt8, UInt8) = (0, 0)
        for byte in text.utf8 {
            defer { (last, lastButOne) = (byte, last) }
            switch byte {
            case 0x80..<0xA0 where last == 0xC2:
                bytes.removeLast()
                escape(0, byte)
            case 0xA8...0xA9 where last == 0x80 && lastButOne == 0xE2:
                bytes.removeLast(2)
                escape(0x20, byte - 0x80)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: raw("\\n")
            case 0x09: raw("\\t")
            case 0x0D: raw("\\r")
            case ..<0x20, 0x7F: escape(0, byte)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ high: UInt8, _ low: UInt8) {
        raw("\\u")
        for byte in [high, low] {
            bytes.append(Self.hexDigits[Int(byte >> 4)])
            bytes.append(Self.hexDigits[Int(byte & 15)])
        }
    }

    /// Writes whole numbers as integers, and numbers that JSON lacks as strings: `"NaN"`, `"Infinity"`.
    package mutating func number(_ number: Double) {
        guard number.isFinite else { return string(number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity") }
        let text = Int64(exactly: number).map(\.description) ?? number.description
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let flag): flag ? raw("true") : raw("false")
        case .int(let number): bytes.append(contentsOf: number.description.utf8)
        case .double(let number): self.number(number)
        case .string(let text): string(text)
        case .array(let elements):
            raw("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { raw(",") }
                self.value(element)
            }
            raw("]")
        case .object(let fields):
            object(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
    }

    package mutating func object(_ fields: [(String, JSONValue)]) {
        raw("{")
        for (index, (name, value)) in fields.enumerated() {
            if index > 0 { raw(",") }
            string(name)
            raw(":")
            self.value(value)
        }
        raw("}")
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
