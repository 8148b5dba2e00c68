/// A table whose rows carry checksums: its columns, and over which of them the sums go.
struct SummedTable: Sendable {
    struct Sum: Sendable {
        /// The column that holds it.
        let name: String
        /// Positions among ``SummedTable/columns``.
        let columns: [Int]
        /// Before the first column is added.
        let start: RowSum

        /// - Parameter row: The values of all columns, in their order.
        func value(of row: [SQLiteValue]) -> Int64 {
            var sum = start
            for column in columns { sum.add(row[column]) }
            return sum.value
        }
    }

    let name: String
    /// Without those that hold sums. The first is the number by which a row is found.
    let columns: [String]
    let sums: [Sum]
    /// Gets the values of all columns and sums. A row of the same key is replaced.
    let insertion: String
    /// Each row, with the values of all columns and sums, up to where a condition may follow.
    let selection: String

    /// - Parameter upsert: What to do about a row of the same key instead of replacing it.
    private init(_ name: String, _ columns: [String], _ sums: [(name: String, columns: [Int])], upsert: String = "") {
        self.name = name
        self.columns = columns
        self.sums = sums.map { Sum(name: $0.name, columns: $0.columns, start: RowSum("\(name).\($0.name)")) }
        let all = columns + sums.map(\.name)
        let marks = all.map { _ in "?" }.joined(separator: ", ")
        insertion = "INSERT OR REPLACE INTO \(name) (\(all.joined(separator: ", "))) VALUES (\(marks)) \(upsert)"
        selection = "SELECT \(all.map { "\(name).\($0)" }.joined(separator: ", ")) FROM \(name)"
    }

    private init(_ name: String, _ columns: [String], over summed: ClosedRange<Int>) {
        self.init(name, columns, [("sum", Array(summed))])
    }

    /// Rows that are found by a text, and keep their number.
    private static func keyed(_ name: String) -> SummedTable {
        SummedTable(
            name,
            ["serial", "key", "body"],
            [("sum", [1, 2])],
            upsert: "ON CONFLICT (key) DO UPDATE SET body = excluded.body, sum = excluded.sum"
        )
    }

    static let request = SummedTable("request", ["revision", "body", "kind", "payload"], over: 0...3)
    /// Two sums, so that a firing need not read what it doesn't change.
    static let pending = SummedTable(
        "pending",
        [
            "revision", "id", "anchor", "fired", "lastDue", "lastLocal", "shape", "value", "times", "traits",
            "latitude",
            "longitude", "radius",
        ],
        [("sum", [0, 1] + Array(6...12)), ("progressSum", [0] + Array(2...5))]
    )
    /// How a region is called in the file.
    static let region = SummedTable("place", ["revision", "inside", "sinceWall", "sinceBoot"], over: 0...3)
    static let delivery = keyed("delivery")
    static let response = keyed("response")
    static let setting = keyed("setting")
    /// How the history is called in the file.
    static let history = SummedTable("ledger", ["serial", "key", "at", "body", "outcome", "thread"], over: 1...5)
    static let header = SummedTable("header", ["serial", "transactions", "revision", "pending"], over: 1...3)

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

    /// Writes a row with its sums, and returns these.
    /// - Parameter row: The values of all columns, in their order.
    @discardableResult
    func insert(_ row: [SQLiteValue], into database: SQLiteDatabase) throws -> [Int64] {
        let sums = sums.map { $0.value(of: row) }
        try database.run(insertion, row + sums.map(SQLiteValue.integer))
        return sums
    }
}
