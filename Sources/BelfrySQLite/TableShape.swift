import GRDB

/// The columns of a table, and which values belong in them.
struct TableShape {
    struct Column {
        var name: String
        var type: String
        var isOptional: Bool

        private var types: [String] {
            switch type.uppercased() {
            case "INTEGER": ["integer"]
            case "REAL", "NUMERIC": ["integer", "real"]
            case "BLOB": ["blob"]
            case "TEXT": ["text"]
            default: ["integer", "real", "blob", "text"]
            }
        }

        /// True for a value of the column's type, in SQL.
        var isSound: String {
            let all = (types + (isOptional ? ["null"] : [])).map { "'\($0)'" }.joined(separator: ", ")
            return "typeof(\(name)) IN (\(all))"
        }

        func fits(_ value: DatabaseValue) -> Bool {
            let type =
                switch value.storage {
                case .null: "null"
                case .int64: "integer"
                case .double: "real"
                case .blob: "blob"
                case .string: "text"
                }
            return type == "null" ? isOptional : types.contains(type)
        }
    }

    let columns: [Column]

    init(_ table: String, _ database: Database) throws {
        columns = try database.columns(in: table).map {
            Column(name: $0.name, type: $0.type, isOptional: !$0.isNotNull && $0.primaryKeyIndex == 0)
        }
    }
}
