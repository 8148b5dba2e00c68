import Belfry
import Foundation
import GRDB

/// What the second migration carries over from rows of the first.
enum StoreMigration {
    static func fillPending(_ database: Database) throws {
        // Without the program's own kinds: those are marked by their text, as all but the shortest are.
        let reader = RequestReader(triggers: .standard)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let insertion = try database.makeStatement(sql: "INSERT INTO pending VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT progress.revision, anchor, fired, lastDue, lastLocal, body, kind, payload
                FROM progress JOIN request ON request.revision = progress.revision ORDER BY progress.revision
                """
        )
        while let row = try rows.next() {
            let stored = RequestRow(
                revision: try row.decode(atIndex: 0),
                body: try row.decode(atIndex: 5),
                kind: try row.decode(atIndex: 6),
                payload: try row.decode(atIndex: 7)
            )
            let progress = TriggerProgress(
                anchor: try row.decode(atIndex: 1),
                fired: try row.decode(atIndex: 2),
                lastDue: try row.decode(atIndex: 3),
                lastLocal: try row.decode(atIndex: 4)
            )
            switch reader.read(stored) {
            case .request(let request), .dormant(let request, _, _):
                let row = try PendingRow(request, stored, progress, encoder, placesInShort: false)
                try insertion.execute(arguments: StatementArguments(row.values.prefix(10)))
            case .unreadable:
                try insertion.execute(
                    arguments: [
                        stored.revision, Data(), progress.anchor, progress.fired, progress.lastDue, progress.lastLocal,
                        nil, nil, nil, nil,
                    ]
                )
            }
        }
    }

    static func fillLedger(_ database: Database) throws {
        let decoder = JSONDecoder()
        let update = try database.makeStatement(sql: "UPDATE ledger SET outcome = ? WHERE serial = ?")
        for row in try Row.fetchAll(database, sql: "SELECT serial, body FROM ledger") {
            let body = try row.decode(Data.self, atIndex: 1)
            guard let entry = try? decoder.decode(HistoryEntry.self, from: body) else { continue }
            try update.execute(arguments: [Data(entry.outcome.rawValue.utf8), try row.decode(Int64.self, atIndex: 0)])
        }
    }
}
