/// A column of a table, with the values that it accepts.
struct TableColumn {
    let name: String
    let type: String
    let isOptional: Bool

    private var types: [String] {
        switch type.uppercased() {
        case "INTEGER": ["integer"]
        case "REAL", "NUMERIC": ["integer", "real"]
        case "BLOB": ["blob"]
        case "TEXT": ["text"]
        default: ["integer", "real", "blob", "text"]
        }
    }

    /// A condition in SQL that is true for a value of the column's type.
    var rule: String {
        let all = (types + (isOptional ? ["null"] : [])).map { "'\($0)'" }.joined(separator: ", ")
        return "typeof(\(name)) IN (\(all))"
    }

    func fits(_ value: SQLiteValue) -> Bool {
        switch value {
        case .null: isOptional
        case .integer: types.contains("integer")
        case .real: types.contains("real")
        case .blob: types.contains("blob")
        case .text: types.contains("text")
        }
    }
}
