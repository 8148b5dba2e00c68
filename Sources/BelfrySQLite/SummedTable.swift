/// A table whose rows have checksums: its columns, and the columns that each sum includes.
struct SummedTable: Sendable {
    struct Sum: Sendable {
        /// The column that stores the sum.
        let name: String
        /// The indices in ``SummedTable/columns``.
        let columns: [Int]
        /// The sum before the first column is added.
        let start: RowSum

        /// - Parameter row: The values of all columns, in their order.
        func value(of row: [SQLiteValue]) -> Int64 {
            var sum = start
            for column in columns { sum.add(row[column]) }
            return sum.value
        }
    }

    let name: String
    /// The columns without those of sums. The first is the number by which a row is found.
    let columns: [String]
    let sums: [Sum]
    /// The statement that creates the table. STRICT: a value of another type is refused.
    let creation: String
    /// The statement that creates the table without sums, for ``StoreMigration``.
    let earlierCreation: String
    /// The statement that inserts the values of all columns and sums. A row with the same key is replaced.
    let insertion: String
    /// The query for the values of all columns and sums, to which a condition may be appended.
    let selection: String

    /// - Parameters:
    ///   - definitions: The columns, as SQL defines them.
    ///   - upsert: The action for a row with the same key, instead of replacing it.
    private init(_ name: String, _ definitions: [String], _ sums: [(name: String, columns: [Int])], upsert: String = "")
    {
        self.name = name
        columns = definitions.map { String($0.prefix { $0 != " " }) }
        self.sums = sums.map { Sum(name: $0.name, columns: $0.columns, start: RowSum("\(name).\($0.name)")) }
        let all = columns + sums.map(\.name)
        let marks = all.map { _ in "?" }.joined(separator: ", ")
        earlierCreation = "CREATE TABLE \(name) (\(definitions.joined(separator: ", ")))"
        let definitions = definitions + sums.map { "\($0.name) INTEGER NOT NULL" }
        creation = "CREATE TABLE \(name) (\(definitions.joined(separator: ", "))) STRICT"
        insertion = "INSERT OR REPLACE INTO \(name) (\(all.joined(separator: ", "))) VALUES (\(marks)) \(upsert)"
        selection = "SELECT \(all.map { "\(name).\($0)" }.joined(separator: ", ")) FROM \(name)"
    }

    private init(_ name: String, _ definitions: [String], over summed: ClosedRange<Int>) {
        self.init(name, definitions, [("sum", Array(summed))])
    }

    /// Returns a table whose rows are found by a text, and keep their number.
    private static func keyed(_ name: String) -> SummedTable {
        SummedTable(
            name,
            ["serial INTEGER PRIMARY KEY", "key BLOB NOT NULL UNIQUE", "body BLOB NOT NULL"],
            [("sum", [1, 2])],
            upsert: "ON CONFLICT (key) DO UPDATE SET body = excluded.body, sum = excluded.sum"
        )
    }

    static let request = SummedTable(
        "request",
        ["revision INTEGER PRIMARY KEY", "body BLOB NOT NULL", "kind BLOB", "payload BLOB"],
        over: 0...3
    )
    /// Has two sums, so that a firing needn't read what it doesn't change.
    static let pending = SummedTable(
        "pending",
        [
            "revision INTEGER PRIMARY KEY", "id BLOB NOT NULL", "anchor INTEGER NOT NULL", "fired INTEGER NOT NULL",
            "lastDue INTEGER", "lastLocal INTEGER", "shape INTEGER",
            // An integer or a real: ANY keeps either unchanged.
            "value ANY",
            "times INTEGER", "traits BLOB", "latitude REAL", "longitude REAL", "radius REAL",
        ],
        [("sum", [0, 1] + Array(6...12)), ("progressSum", [0] + Array(2...5))]
    )
    /// The table of regions, by its name in the file.
    static let region = SummedTable(
        "place",
        ["revision INTEGER PRIMARY KEY", "inside INTEGER NOT NULL", "sinceWall INTEGER", "sinceBoot INTEGER"],
        over: 0...3
    )
    static let delivery = keyed("delivery")
    static let response = keyed("response")
    static let setting = keyed("setting")
    /// The table of the history, by its name in the file.
    static let history = SummedTable(
        "ledger",
        [
            "serial INTEGER PRIMARY KEY", "key BLOB NOT NULL", "at INTEGER NOT NULL", "body BLOB NOT NULL",
            "outcome BLOB", "thread BLOB",
        ],
        over: 1...5
    )
    static let header = SummedTable(
        "header",
        [
            "serial INTEGER PRIMARY KEY", "transactions INTEGER NOT NULL", "revision INTEGER NOT NULL",
            "pending INTEGER NOT NULL",
        ],
        over: 1...3
    )

    static let all = [request, pending, region, delivery, response, setting, history, header]

    /// Whether a row of ``selection`` matches its checksums.
    func isIntact(_ row: SQLiteStatement) -> Bool {
        for (index, sum) in sums.enumerated() {
            var check = sum.start
            for column in sum.columns { row.add(column, to: &check) }
            guard row.integer(columns.count + index) == check.value else { return false }
        }
        return true
    }

    /// Inserts a row with its sums, and returns the sums.
    /// - Parameter row: The values of all columns, in their order.
    @discardableResult
    func insert(_ row: [SQLiteValue], into database: SQLiteDatabase) throws -> [Int64] {
        let sums = sums.map { $0.value(of: row) }
        try database.run(insertion, row + sums.map(SQLiteValue.integer))
        return sums
    }
}
