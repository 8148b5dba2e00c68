/// The attributes of one tag, parsed on access.
struct XMLAttributes {
    private let bytes: ArraySlice<UInt8>

    /// Creates attributes from the bytes between the name and the end of the tag.
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The value of an attribute; nil if it is missing, or the tag can't be parsed up to it.
    subscript(_ wanted: String) -> String? {
        var rest = bytes
        while true {
            rest = rest.drop { $0 <= 32 }
            let name = rest.prefix { $0 > 32 && $0 != UInt8(ascii: "=") }
            guard !name.isEmpty else { return nil }
            rest = rest[name.endIndex...].drop { $0 <= 32 }
            guard rest.first == UInt8(ascii: "=") else { return nil }
            rest = rest.dropFirst().drop { $0 <= 32 }
            guard let quote = rest.first, quote == 34 || quote == 39 else { return nil }
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: quote) else { return nil }
            if name.elementsEqual(wanted.utf8) {
                return Self.decoded(rest[..<end]).map { String(decoding: $0, as: UTF8.self) }
            }
            rest = rest[rest.index(after: end)...]
        }
    }

    private static let entities: [(name: String, character: UInt8)] = [
        ("amp", 38), ("lt", 60), ("gt", 62), ("quot", 34), ("apos", 39),
    ]

    /// Replaces references by their characters; nil for an unknown reference.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "&")) else { return Array(bytes) }
        var decoded: [UInt8] = []
        var rest = bytes
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            decoded += rest[..<start]
            rest = rest[(start + 1)...]
            guard let end = rest.firstIndex(of: UInt8(ascii: ";")), end - rest.startIndex <= 10 else { return nil }
            let reference = rest[..<end]
            rest = rest[(end + 1)...]
            if reference.first == UInt8(ascii: "#") {
                let isHexadecimal = reference.dropFirst().first == UInt8(ascii: "x")
                let digits = String(decoding: reference.dropFirst(isHexadecimal ? 2 : 1), as: UTF8.self)
                guard let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init) else {
                    return nil
                }
                decoded += String(Character(scalar)).utf8
            } else {
                guard let known = entities.first(where: { reference.elementsEqual($0.name.utf8) }) else { return nil }
                decoded.append(known.character)
            }
        }
        return decoded + rest
    }
}
