/// A column of a table, with the values that it accepts.
struct TableColumn {
    let name: String
    let type: String
    let isOptional: Bool

    /// A condition in SQL that is true for a value of the column's type.
    var rule: String {
        let types =
            switch type.uppercased() {
            case "INTEGER": ["integer"]
            case "REAL", "NUMERIC": ["integer", "real"]
            case "BLOB": ["blob"]
            case "TEXT": ["text"]
            default: ["integer", "real", "blob", "text"]
            }
        let accepted = (types + (isOptional ? ["null"] : [])).map { "'\($0)'" }
        return "typeof(\(name)) IN (\(accepted.joined(separator: ", ")))"
    }
}

extension [TableColumn] {
    /// A condition in SQL that is true for a row in which each value has its column's type.
    var rule: String { map(\.rule).joined(separator: " AND ") }
}
