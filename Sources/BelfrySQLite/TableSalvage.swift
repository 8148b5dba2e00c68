import GRDB

/// One table, read around its damage: upwards until it can't be read, downwards the same, and what lies between row by row. A row
/// that doesn't match its checksums, or has values of a wrong type, is lost.
struct TableSalvage {
    /// Looking for single rows in a hole ends here: each try may read pages.
    private static let probes: Int64 = 200_000

    private let table: String
    private let source: Database
    private let target: Database
    private let insertion: Statement
    private let columns: [TableShape.Column]
    /// The sums, and the places of their columns among ``columns``.
    private let sums: [(label: RowSum, columns: [Int], sum: Int)]
    private var saved = 0
    private var damaged: [Int64] = []
    private var losses: [String] = []

    init(_ table: String, _ source: Database, _ target: Database) throws {
        self.table = table
        self.source = source
        self.target = target
        // Only columns that both have: the damaged file may be of an earlier version, and its schema damaged.
        let existing = Set(((try? source.columns(in: table)) ?? []).map(\.name))
        columns = try TableShape(table, target).columns.filter { existing.contains($0.name) }
        let names = columns.map(\.name)
        sums = SummedTable.all.filter { $0.name == table }.flatMap { table in
            table.sums.compactMap { sum in
                guard let place = names.firstIndex(of: sum.name) else { return nil }
                let places = sum.columns.compactMap { names.firstIndex(of: $0) }
                return (RowSum(table.label(of: sum)), places, place)
            }
        }
        insertion = try target.makeStatement(
            sql: names.isEmpty
                ? "SELECT 1"
                : "INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ", "))) "
                    + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
        )
    }

    private var key: String { columns[0].name }
    private var names: String { columns.map(\.name).joined(separator: ", ") }

    consuming func run() throws -> (saved: Int, losses: [String]) {
        guard !columns.isEmpty else { return (0, ["The table '\(table)' can't be found."]) }
        try target.execute(sql: "BEGIN IMMEDIATE")
        do {
            let (last, failure) = try copy(order: "ASC", above: nil)
            if let failure {
                let (first, _) = try copy(order: "DESC", above: last)
                try probe(after: last, before: first)
                losses.append("Of the table '\(table)' \(saved) rows could be read: \(failure)")
            }
            try target.execute(sql: "COMMIT")
        } catch {
            try? target.execute(sql: "ROLLBACK")
            throw error
        }
        if let first = damaged.first {
            let what = damaged.count == 1 ? "row \(first)" : "\(damaged.count) rows, of which \(first) is the first,"
            losses.append("Of the table '\(table)' \(what) did not match the checksum.")
        }
        return (saved, losses)
    }

    /// Copies rows until one can't be read. Returns the last that could be, and why it ended.
    private mutating func copy(order: String, above bound: Int64?) throws -> (last: Int64?, failure: String?) {
        var last: Int64?
        let rule = bound.map { " WHERE \(key) > \($0)" } ?? ""
        let cursor: RowCursor
        do {
            cursor = try Row.fetchCursor(source, sql: "SELECT \(names) FROM \(table)\(rule) ORDER BY \(key) \(order)")
        } catch { return (nil, "\(error)") }
        while true {
            let row: Row?
            do { row = try cursor.next() } catch { return (last, "\(error)") }
            guard let row else { return (last, nil) }
            try insert(row)
            last = row.databaseValues.first.flatMap { Int64.fromDatabaseValue($0) } ?? last
        }
    }

    /// A damaged key may be any number: nothing here may overflow.
    private mutating func probe(after last: Int64?, before first: Int64?) throws {
        guard let first else { return }
        let below = first.subtractingReportingOverflow(Self.probes)
        let start = max(last.map { $0 == .max ? .max : $0 + 1 } ?? 1, last == nil ? below.partialValue : .min)
        let end = start.addingReportingOverflow(Self.probes)
        guard !below.overflow, start < first else { return }
        for number in start..<min(first, end.overflow ? .max : end.partialValue) {
            let sql = "SELECT \(names) FROM \(table) WHERE \(key) = \(number)"
            if let row = try? Row.fetchOne(source, sql: sql) { try insert(row) }
        }
    }

    private mutating func insert(_ row: Row) throws {
        let values = Array(row.databaseValues)
        guard zip(columns, values).allSatisfy({ $0.fits($1) }), matches(values) else {
            damaged.append(Int64.fromDatabaseValue(values[0]) ?? 0)
            return
        }
        do {
            try insertion.execute(arguments: StatementArguments(values))
            saved += target.changesCount
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CONSTRAINT || error.resultCode == .SQLITE_MISMATCH
        {
            // A row that holds nonsense is lost, and no reason to lose the others.
            losses.append("A row of the table '\(table)' makes no sense: \(error.message ?? "no message")")
        }
    }

    private func matches(_ values: [DatabaseValue]) -> Bool {
        sums.allSatisfy { label, columns, place in
            var sum = label
            for column in columns { sum.add(values[column]) }
            return sum.value.databaseValue == values[place]
        }
    }
}
