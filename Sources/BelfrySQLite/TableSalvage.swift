import CSQLite

/// The salvage of one table, reading around its damage: ascending until a row can't be read, then descending, then the
/// rows between one by one. A row that doesn't match its checksums, or has values of a wrong type, is lost.
struct TableSalvage {
    /// The maximum number of single rows to try in a gap, because each try may read pages.
    private static let probes: Int64 = 200_000

    private let table: String
    private let source: SQLiteDatabase
    private let target: SQLiteDatabase
    /// The columns that both files have: the damaged one may be of an earlier version, and its schema damaged.
    private let columns: [TableColumn]
    /// For each sum: its start, and the indices in ``columns`` of its columns and of the sum itself.
    private let sums: [(start: RowSum, columns: [Int], sum: Int)]
    private var saved = 0
    private var damaged: [Int64] = []
    private var losses: [String] = []

    init(_ table: String, _ source: SQLiteDatabase, _ target: SQLiteDatabase) throws {
        self.table = table
        self.source = source
        self.target = target
        let existing = Set(((try? source.columns(of: table)) ?? []).map(\.name))
        columns = try target.columns(of: table).filter { existing.contains($0.name) }
        let names = columns.map(\.name)
        sums = SummedTable.all.filter { $0.name == table }.flatMap { table in
            table.sums.compactMap { sum in
                guard let position = names.firstIndex(of: sum.name) else { return nil }
                return (sum.start, sum.columns.compactMap { names.firstIndex(of: table.columns[$0]) }, position)
            }
        }
    }

    private var key: String { columns[0].name }
    private var names: String { columns.map(\.name).joined(separator: ", ") }

    consuming func run() throws -> (saved: Int, losses: [String]) {
        guard !columns.isEmpty else { return (0, ["The table '\(table)' can't be found."]) }
        try target.transaction { try copyAll() }
        if let first = damaged.first {
            let rows = damaged.count == 1 ? "row \(first)" : "\(damaged.count) rows, of which \(first) is the first,"
            losses.append("Of the table '\(table)' \(rows) did not match the checksum.")
        }
        return (saved, losses)
    }

    private mutating func copyAll() throws {
        let (last, failure) = try copy("ORDER BY \(key) ASC")
        guard let failure else { return }
        let (first, _) =
            if let last {
                try copy("WHERE \(key) > ? ORDER BY \(key) DESC", [.integer(last)])
            } else {
                try copy("ORDER BY \(key) DESC")
            }
        try probe(after: last, before: first)
        losses.append("Of the table '\(table)' \(saved) rows could be read: \(failure)")
    }

    /// Copies rows until one can't be read. Returns the last readable row, and the error that ended the copying.
    private mutating func copy(
        _ rule: String,
        _ values: [SQLiteValue] = []
    ) throws -> (last: Int64?, failure: SQLiteError?) {
        var last: Int64?
        var isRefused = false
        do {
            try source.forEach("SELECT \(names), \(columns.rule) FROM \(table) \(rule)", values) { row in
                isRefused = true
                try insert(row)
                isRefused = false
                last = row.integer(0) ?? last
            }
            return (last, nil)
        } catch let error as SQLiteError where !isRefused {
            return (last, error)
        }
    }

    /// Tries the rows between. A damaged key may be any number, so nothing here may overflow.
    private mutating func probe(after last: Int64?, before first: Int64?) throws {
        guard let first else { return }
        let below = first.subtractingReportingOverflow(Self.probes)
        let start = max(last.map { $0 == .max ? .max : $0 + 1 } ?? 1, last == nil ? below.partialValue : .min)
        let end = start.addingReportingOverflow(Self.probes)
        guard !below.overflow, start < first else { return }
        for number in start..<min(first, end.overflow ? .max : end.partialValue) {
            _ = try copy("WHERE \(key) = ?", [.integer(number)])
        }
    }

    private mutating func insert(_ row: SQLiteStatement) throws {
        let values = columns.indices.map(row.value)
        guard row.integer(columns.count) == 1, matches(values) else {
            damaged.append(row.integer(0) ?? 0)
            return
        }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        do {
            try target.run("INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(marks))", values)
            saved += target.changeCount
        } catch let error as SQLiteError where error.code == SQLITE_CONSTRAINT || error.code == SQLITE_MISMATCH {
            // A row with invalid values is lost, but not the others.
            losses.append("A row of the table '\(table)' makes no sense: \(error.message)")
        }
    }

    private func matches(_ values: [SQLiteValue]) -> Bool {
        sums.allSatisfy { start, columns, position in
            var sum = start
            for column in columns { sum.add(values[column]) }
            return .integer(sum.value) == values[position]
        }
    }
}
