import Foundation
import GRDB
internal import GRDBSQLite

/// The checksum of a row: 64 bits over the types and the bytes of its columns.
///
/// Each word is mixed in by a bijection of the state, so that a change within one word, such as a flipped bit, always changes
/// the sum; any other change goes unseen once in 2^64.
struct RowSum {
    private var state: UInt64

    /// What is summed, so that a row of one table is none of another.
    init(_ name: String) {
        state = 0xcbf2_9ce4_8422_2325
        name.utf8.forEach { add(UInt64($0)) }
    }

    static func of(_ name: String, _ values: some Sequence<DatabaseValue>) -> Int64 {
        var sum = RowSum(name)
        for value in values { sum.add(value) }
        return sum.value
    }

    var value: Int64 { Int64(bitPattern: state) }

    mutating func add(_ value: DatabaseValue) {
        switch value.storage {
        case .null: add(Tag.null.rawValue)
        case .int64(let number): add(number)
        case .double(let number): add(number)
        case .blob(let data): data.withUnsafeBytes { add(.blob, $0) }
        case .string(let text): Array(text.utf8).withUnsafeBytes { add(.text, $0) }
        }
    }

    /// A column of the row at which a statement stands; without a value of GRDB's, for a million of them.
    mutating func add(_ row: OpaquePointer, _ column: Int32) {
        switch sqlite3_column_type(row, column) {
        case SQLITE_INTEGER: add(sqlite3_column_int64(row, column))
        case SQLITE_FLOAT: add(sqlite3_column_double(row, column))
        case SQLITE_BLOB: add(.blob, Self.bytes(sqlite3_column_blob(row, column), row, column))
        case SQLITE_TEXT:
            add(.text, Self.bytes(sqlite3_column_text(row, column).map { UnsafeRawPointer($0) }, row, column))
        default: add(Tag.null.rawValue)
        }
    }

    private enum Tag: UInt64 {
        case null = 1
        case integer, real, blob, text
    }

    private static func bytes(
        _ start: UnsafeRawPointer?,
        _ row: OpaquePointer,
        _ column: Int32
    ) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(row, column)))
    }

    private mutating func add(_ number: Int64) {
        add(Tag.integer.rawValue)
        add(UInt64(bitPattern: number))
    }

    private mutating func add(_ number: Double) {
        add(Tag.real.rawValue)
        // SQLite keeps no negative zero.
        add(number == 0 ? 0 : number.bitPattern)
    }

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
        // An odd factor and a shifted copy: both can be undone, and every bit reaches the others.
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 32
    }
}
