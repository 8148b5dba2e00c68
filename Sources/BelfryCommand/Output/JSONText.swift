import Belfry

/// Writes JSON as bytes, in the order in which fields are given.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// RFC 8259, section 7: quotes, backslashes and control characters are escaped, everything else is as it is. The C1
    /// controls (U+0080 to U+009F) as well, which the RFC lets pass and some terminals obey.
    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        // In UTF-8 a C1 control is this byte and its own number.
        let controlLead: UInt8 = 0xC2
        var isAfterLead = false
        for byte in text.utf8 {
            defer { isAfterLead = byte == controlLead }
            switch byte {
            case 0x80..<0xA0 where isAfterLead:
                bytes.removeLast()
                escape(byte)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: raw("\\n")
            case 0x09: raw("\\t")
            case 0x0D: raw("\\r")
            case ..<0x20, 0x7F: escape(byte)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        raw("\\u00")
        bytes.append(Self.hexDigits[Int(byte >> 4)])
        bytes.append(Self.hexDigits[Int(byte & 15)])
    }

    /// Whole numbers as integers; JSON has no infinity, and none gets here but as null.
    mutating func number(_ number: Double) {
        guard number.isFinite else { return raw("null") }
        let text = Int64(exactly: number).map(\.description) ?? number.description
        bytes.append(contentsOf: text.utf8)
    }

    mutating func value(_ value: JSONValue) {
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

    mutating func object(_ fields: [(String, JSONValue)]) {
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
