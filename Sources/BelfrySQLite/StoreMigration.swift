import Belfry
import FoundationEssentials

/// The rows that the second migration converts from the first one.
enum StoreMigration {
    static func fillPending(_ database: SQLiteDatabase) throws {
        // The program's own kinds are not registered here: they are marked by their text, like all but the shortest.
        let reader = RequestReader(triggers: .standard)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try database.forEach(
            """
            SELECT progress.revision, anchor, fired, lastDue, lastLocal, body, kind, payload
            FROM progress JOIN request ON request.revision = progress.revision ORDER BY progress.revision
            """
        ) { row in
            guard let revision = row.integer(0), let anchor = row.integer(1), let fired = row.integer(2),
                let body = row.blob(5)
            else { throw FoundDamage("a row of the table 'progress' or 'request' has a value of a wrong type") }
            let stored = RequestRow(revision: revision, body: body, kind: row.blob(6), payload: row.blob(7))
            let progress = TriggerProgress(
                anchor: anchor,
                fired: Int(fired),
                lastDue: row.integer(3),
                lastLocal: row.integer(4)
            )
            let values: [SQLiteValue]
            switch reader.read(stored) {
            case .request(let request), .dormant(let request, _, _):
                let pending = try PendingRow(request, stored, progress, encoder, regionsInShort: false)
                values = Array(pending.values.prefix(10))
            case .unreadable:
                values = [.integer(revision), .blob(Data())] + (1...4).map(row.value) + [.null, .null, .null, .null]
            }
            try database.run("INSERT INTO pending VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        }
    }

    static func fillHistory(_ database: SQLiteDatabase) throws {
        let decoder = JSONDecoder()
        try database.forEach("SELECT serial, body FROM ledger") { row in
            guard let body = row.blob(1), let entry = try? decoder.decode(HistoryEntry.self, from: body) else { return }
            try database.run(
                "UPDATE ledger SET outcome = ? WHERE serial = ?",
                [.blob(Data(entry.outcome.rawValue.utf8)), row.value(0)]
            )
        }
    }
}
