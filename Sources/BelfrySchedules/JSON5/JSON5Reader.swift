package import Belfry
import BelfryRecurrence

/// Reads one JSON5 text (spec.json5.org), and therefore any JSON, with the positions of all values.
///
/// It makes one pass, in bounded depth. A missing comma and a duplicate key are reported, and reading continues to find
/// further errors. Any other error ends the reading.
struct JSON5Reader {
    static let maximumDepth = 64
    /// The limits in one list or object, and in all. They bound the time to read a file full of errors.
    static let maximumElements = 20_000
    static let maximumValues = 200_000
    private static let fewKeys = 16

    let bytes: [UInt8]
    /// Whether only JSON (RFC 8259) is accepted.
    let isStrict: Bool
    var index = 0
    private var valueCount = 0
    private(set) var errors: [JSON5Error] = []

    init(_ bytes: [UInt8], isStrict: Bool = false) {
        self.bytes = bytes
        self.isStrict = isStrict
    }

    /// Reads a text that consists of one value, with white space around it.
    static func read(_ bytes: [UInt8]) -> (node: JSONNode?, errors: [JSON5Error]) {
        var reader = JSON5Reader(bytes)
        do throws(JSON5Error) { return (try reader.wholeValue(), reader.errors) } catch {
            return (nil, reader.errors + [error])
        }
    }

    mutating func wholeValue() throws(JSON5Error) -> JSONNode {
        let node = try value(depth: 0)
        try skipBlanks()
        guard index == bytes.count else { throw error("something follows the end of the value") }
        return node
    }

    func error(_ reason: String, at offset: Int? = nil) -> JSON5Error {
        JSON5Error(reason: reason, offset: offset ?? index)
    }

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    func nextIs(_ character: Unicode.Scalar) -> Bool { next.map(UInt32.init) == character.value }

    /// Whether a character is after the next byte.
    func isFollowed(by character: Unicode.Scalar) -> Bool {
        index + 1 < bytes.count && UInt32(bytes[index + 1]) == character.value
    }

    /// Skips a character if it is next, and returns whether it was.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard nextIs(character) else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSON5Error) -> JSONNode {
        try skipBlanks()
        guard depth < Self.maximumDepth else { throw error("this is nested deeper than \(Self.maximumDepth) levels") }
        valueCount += 1
        guard valueCount <= Self.maximumValues else {
            throw error("the file has more than \(Self.maximumValues) values")
        }
        let start = index
        let value: JSONNode.Value
        switch next {
        case UInt8(ascii: "{"): value = .object(try object(depth: depth))
        case UInt8(ascii: "["): value = .list(try list(depth: depth))
        case nil: throw error("the file ends where a value should be")
        case let byte? where isQuote(byte): value = .text(try string())
        case let byte? where byte.isDigit || (isStrict ? "-" : "+-.").utf8.contains(byte): value = try number()
        default: value = try word()
        }
        return JSONNode(value: value, offset: start)
    }

    private mutating func word() throws(JSON5Error) -> JSONNode.Value {
        let start = index
        let name = (try? identifier()) ?? ""
        switch name {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case "Infinity" where !isStrict: return .number(.infinity)
        case "NaN" where !isStrict: return .number(.nan)
        case "": throw error("there is no value here", at: start)
        default: throw error("'\(name.clipped)' is no value; a text stands in quotes", at: start)
        }
    }

    private mutating func object(depth: Int) throws(JSON5Error) -> [JSONField] {
        let start = index
        index += 1
        var fields: [JSONField] = []
        // Few keys, the usual case, are searched linearly, which is faster than a set.
        var names: Set<String> = []
        while true {
            try skipBlanks()
            if skip("}") { return fields }
            let nameOffset = index
            guard let byte = next else { throw error("the file ends inside the object that begins here", at: start) }
            let name: String
            if isQuote(byte) {
                name = try string()
            } else {
                guard !isStrict else { throw error("a key in quotes is missing here") }
                name = try identifier()
            }
            try skipBlanks()
            guard skip(":") else { throw error("a colon is missing after the key '\(name.clipped)'") }
            let node = try value(depth: depth + 1)
            guard fields.count < Self.maximumElements else {
                throw error("this object has more than \(Self.maximumElements) keys", at: start)
            }
            if fields.count == Self.fewKeys { names = Set(fields.map(\.name)) }
            let isNew =
                fields.count < Self.fewKeys ? !fields.contains { $0.name == name } : names.insert(name).inserted
            if isNew || isStrict {
                fields.append(JSONField(name: name, nameOffset: nameOffset, node: node))
            } else {
                errors.append(error("the key '\(name.clipped)' is there twice; leave one out", at: nameOffset))
            }
            if try !takesComma(closing: "}", startsNext: startsKey) { return fields }
        }
    }

    private mutating func list(depth: Int) throws(JSON5Error) -> [JSONNode] {
        let start = index
        index += 1
        var elements: [JSONNode] = []
        while true {
            try skipBlanks()
            if skip("]") { return elements }
            guard next != nil else { throw error("the file ends inside the list that begins here", at: start) }
            guard elements.count < Self.maximumElements else {
                throw error("this list has more than \(Self.maximumElements) values", at: start)
            }
            elements.append(try value(depth: depth + 1))
            if try !takesComma(closing: "]", startsNext: startsValue) { return elements }
        }
    }

    /// Skips the comma after a value, or the closing bracket. Returns false after the bracket.
    private mutating func takesComma(
        closing: Unicode.Scalar,
        startsNext: (UInt8) -> Bool
    ) throws(JSON5Error) -> Bool {
        let end = index
        try skipBlanks()
        if skip(closing) { return false }
        if skip(",") {
            guard isStrict else { return true }
            try skipBlanks()
            guard !nextIs(closing) else { throw error("a value is missing after the comma") }
            return true
        }
        guard let byte = next else {
            throw error("the file ends where a comma or '\(closing)' should be", at: end)
        }
        guard startsNext(byte), errors.count < 100 else {
            throw error("a comma or '\(closing)' is missing here", at: end)
        }
        errors.append(error("a comma is missing here", at: end))
        return true
    }

    private func startsKey(_ byte: UInt8) -> Bool {
        isQuote(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte.isLetter
    }

    private func startsValue(_ byte: UInt8) -> Bool {
        startsKey(byte) || byte.isDigit || [0x7B, 0x5B, 0x2B, 0x2D, 0x2E].contains(byte)
    }

    private func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "'") && !isStrict)
    }
}

extension JSONValue {
    /// Parses one JSON text (RFC 8259), strictly. If an object has a name twice, the last one counts.
    package init(json bytes: [UInt8]) throws(JSON5Error) {
        var reader = JSON5Reader(bytes, isStrict: true)
        guard String(validating: bytes, as: UTF8.self) != nil else { throw reader.error("it is not UTF-8") }
        let node = try reader.wholeValue()
        if let error = reader.errors.first { throw error }
        self = node.json
    }
}
