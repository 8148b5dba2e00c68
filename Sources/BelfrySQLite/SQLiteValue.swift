import FoundationEssentials

/// A value as SQLite stores it (https://www.sqlite.org/datatype3.html).
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)

    init(_ number: Int64?) { self = number.map(SQLiteValue.integer) ?? .null }

    init(_ number: Double?) { self = number.map(SQLiteValue.real) ?? .null }

    init(_ bytes: Data?) { self = bytes.map(SQLiteValue.blob) ?? .null }
}
