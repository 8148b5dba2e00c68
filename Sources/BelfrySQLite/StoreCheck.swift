import Belfry

/// Checks a file for damage while it is being opened.
struct StoreCheck {
    let database: SQLiteDatabase
    /// Whether every page and row is checked, or only those that opening reads and the tables that are always small.
    let isWhole: Bool

    /// Runs the check, before any migration. Throws ``FoundDamage``, or ``NoticeError/Code/storeTooNew``.
    func run(_ path: String) throws {
        let tables = try StoreSchema.tables(database)
        // `quick_check` doesn't check whether indexes have all rows.
        let small = ["delivery", "response", "setting", "header"].filter(tables.contains)
        for part in isWhole ? ["3"] : small.map({ "'\($0)'" }) {
            let rows = try database.all("PRAGMA integrity_check(\(part))") { $0.text(0) }
            guard rows == ["ok"] else { throw FoundDamage(rows.prefix(3).joined(separator: "; ")) }
        }
        try checkVersion(path)
        guard isWhole else { return }
        for name in tables {
            guard let table = SummedTable.all.first(where: { $0.name == name }), try hasSums(table) else {
                try checkTypes(name)
                continue
            }
            try checkSums(table)
        }
        guard tables.contains("pending"), tables.contains("request") else { return }
        try refuseAny(
            "pending WHERE revision NOT IN (SELECT revision FROM request)",
            "pending requests have no content"
        )
    }

    /// A newer version has all migrations of this one and more; any other difference is damage.
    private func checkVersion(_ path: String) throws {
        let applied = try StoreSchema.applied(database)
        let known = StoreSchema.versions
        if applied.subtracting(known).isEmpty {
            guard applied == Set(known.prefix(applied.count)) else {
                throw FoundDamage("its list of migrations has a gap")
            }
        } else if applied.isSuperset(of: known) {
            throw NoticeError(
                .storeTooNew,
                "The store '\(path)' was written by a newer version of Belfry: use that version, or another "
                    + "application identifier. Nothing was changed."
            )
        } else {
            throw FoundDamage("its list of migrations names one that there never was")
        }
    }

    private func hasSums(_ table: SummedTable) throws -> Bool {
        try database.columns(of: table.name).contains { $0.name == table.sums[0].name }
    }

    /// Tables of earlier versions are not STRICT, so a value may be of any type.
    private func checkTypes(_ table: String) throws {
        let rule = try database.columns(of: table).rule
        try refuseAny("\(table) WHERE NOT (\(rule))", "rows of the table '\(table)' have values of a wrong type")
    }

    private func checkSums(_ table: SummedTable) throws {
        var damaged: [Int64] = []
        try database.forEach(table.selection) { row in
            if !table.isIntact(row) { damaged.append(row.integer(0) ?? 0) }
        }
        guard let first = damaged.first else { return }
        let more = damaged.count > 1 ? ", and \(damaged.count - 1) more" : ""
        throw FoundDamage("row \(first) of the table '\(table.name)' does not match its checksum\(more)")
    }

    private func refuseAny(_ rows: String, _ description: String) throws {
        let count = try database.first("SELECT count(*) FROM \(rows)") { $0.integer(0) } ?? 0
        if count > 0 { throw FoundDamage("\(count) \(description)") }
    }
}
