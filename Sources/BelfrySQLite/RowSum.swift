import FoundationEssentials

/// The checksum of a row: 64 bits over the types and the bytes of its columns.
///
/// Each word is mixed in by a bijection of the state, so a change within one word, such as a flipped bit, always
/// changes the sum. Any other change remains undetected once in 2^64.
struct RowSum {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    /// - Parameter name: The name of the sum, so that rows of different tables have different sums.
    init(_ name: String) { name.utf8.forEach { add(UInt64($0)) } }

    var value: Int64 { Int64(bitPattern: state) }

    mutating func add(_ value: SQLiteValue) {
        switch value {
        case .null: addNull()
        case .integer(let number): add(number)
        case .real(let number): add(number)
        case .blob(let bytes): bytes.withUnsafeBytes { add(blob: $0) }
        case .text(var text): text.withUTF8 { add(text: UnsafeRawBufferPointer($0)) }
        }
    }

    private enum Tag: UInt64 {
        case null = 1
        case integer, real, blob, text
    }

    mutating func addNull() { add(Tag.null.rawValue) }

    mutating func add(_ number: Int64) {
        add(Tag.integer.rawValue)
        add(UInt64(bitPattern: number))
    }

    mutating func add(_ number: Double) {
        add(Tag.real.rawValue)
        // SQLite doesn't store negative zero.
        add(number == 0 ? 0 : number.bitPattern)
    }

    mutating func add(blob bytes: UnsafeRawBufferPointer) { add(.blob, bytes) }

    mutating func add(text bytes: UnsafeRawBufferPointer) { add(.text, bytes) }

    private mutating func add(_ tag: Tag, _ bytes: UnsafeRawBufferPointer) {
        add(tag.rawValue)
        add(UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        guard offset < bytes.count else { return }
        var rest: UInt64 = 0
        for index in offset..<bytes.count { rest = rest << 8 | UInt64(bytes[index]) }
        add(rest)
    }

    private mutating func add(_ word: UInt64) {
        // An odd factor and a shifted copy are both invertible, and let every bit affect the others.
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 32
    }
}
