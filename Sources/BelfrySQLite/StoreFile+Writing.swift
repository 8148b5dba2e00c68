import Belfry
import Foundation
import GRDB
import Synchronization

extension StoreFile {
    /// One transaction; attachments are copied before it and removed after it, so that no row names a file that isn't there.
    func apply(_ batch: [StoreChange], to database: Database) throws {
        var copied: [Int64] = []
        var batch = batch
        do {
            for (index, change) in batch.enumerated() {
                guard case .putRequest(var request, let revision, let progress) = change,
                    !request.content.attachments.isEmpty
                else { continue }
                copied.append(revision)
                request.content.attachments = try attachments.copy(request.content.attachments, of: revision)
                batch[index] = .putRequest(request, revision: revision, progress)
            }
            try write(batch, to: database)
        } catch {
            for revision in copied { attachments.remove(revision) }
            throw error
        }
        for case .dropContent(let revision) in batch { attachments.remove(revision) }
    }

    private func write(_ batch: [StoreChange], to database: Database) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let fault = fault.withLock { $0 }
        var newestLine: Int64?
        var lines = untrimmed.withLock { $0 }
        do {
            try database.inTransaction(.immediate) {
                for change in batch {
                    try fault?(change)
                    if case .appendLedger(let entry) = change {
                        newestLine = Self.microseconds(entry.at)
                        lines += 1
                    }
                    try write(change, to: database, encoder)
                }
                if let newestLine, lines >= options.ledger.trimInterval {
                    try trimLedger(database, newest: newestLine)
                    lines = 0
                }
                return .commit
            }
        } catch let error as DatabaseError {
            // A log whose fsync failed may hold the whole batch nevertheless, and a crash now would bring it back to life:
            // emptying the log ends that.
            if error.resultCode == .SQLITE_IOERR || error.resultCode == .SQLITE_FULL {
                try? database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            throw error
        }
        untrimmed.withLock { $0 = lines }
    }

    private func write(_ change: StoreChange, to database: Database, _ encoder: JSONEncoder) throws {
        func run(_ sql: String, _ arguments: StatementArguments) throws {
            try database.cachedStatement(sql: sql).execute(arguments: arguments)
        }
        switch change {
        case .putRequest(let request, let revision, let progress):
            let row = try RequestRow(request, revision: revision, encoder)
            try run("INSERT OR REPLACE INTO request VALUES (?, ?, ?, ?)", [revision, row.body, row.kind, row.payload])
            try run(PendingRow.insertion, PendingRow(request, row, progress, encoder).arguments)
        case .updateProgress(let revision, let progress):
            try run(
                "UPDATE pending SET anchor = ?, fired = ?, lastDue = ?, lastLocal = ? WHERE revision = ?",
                [progress.anchor, progress.fired, progress.lastDue, progress.lastLocal, revision]
            )
        case .removeRequest(let revision): try run("DELETE FROM pending WHERE revision = ?", [revision])
        case .dropContent(let revision): try run("DELETE FROM request WHERE revision = ?", [revision])
        case .putDelivery(let record):
            try run(Self.put("delivery"), [StoreSchema.key(record.id), try encoder.encode(record)])
        case .removeDelivery(let id): try run("DELETE FROM delivery WHERE key = ?", [StoreSchema.key(id)])
        case .appendLedger(let entry):
            try run(
                "INSERT INTO ledger (key, at, body, outcome, thread) VALUES (?, ?, ?, ?, ?)",
                [
                    StoreSchema.key(entry.requestID), Self.microseconds(entry.at), try encoder.encode(entry),
                    Data(entry.outcome.rawValue.utf8), entry.thread.map { StoreSchema.key($0) },
                ]
            )
        case .putResponse(let response):
            try run(Self.put("response"), [StoreSchema.key(response.id), try encoder.encode(response)])
        case .removeResponse(let id): try run("DELETE FROM response WHERE key = ?", [StoreSchema.key(id)])
        case .putCategories(let all):
            try run(Self.put("setting"), [StoreSchema.Setting.categories.key, try encoder.encode(all)])
        case .putAuthorization(let status):
            try run(Self.put("setting"), [StoreSchema.Setting.authorization.key, try encoder.encode(status)])
        case .putOwner(let owner, let entries) where entries.isEmpty:
            try run("DELETE FROM setting WHERE key = ?", [StoreSchema.ownerKey(owner)])
        case .putOwner(let owner, let entries):
            let body = try encoder.encode(OwnerRow(owner: owner, entries: entries))
            try run(Self.put("setting"), [StoreSchema.ownerKey(owner), body])
        case .putWindow(let name, let record?):
            let body = try encoder.encode(WindowRow(window: name, record: record))
            try run(Self.put("setting"), [StoreSchema.windowKey(name), body])
        case .putWindow(let name, nil):
            try run("DELETE FROM setting WHERE key = ?", [StoreSchema.windowKey(name)])
        case .putClockMapping(let mapping):
            try run(Self.put("setting"), [StoreSchema.Setting.clockMapping.key, try encoder.encode(mapping)])
        case .putQuietHours(let hours?):
            try run(Self.put("setting"), [StoreSchema.Setting.quietHours.key, try encoder.encode(hours)])
        case .putQuietHours(nil):
            try run("DELETE FROM setting WHERE key = ?", [StoreSchema.Setting.quietHours.key])
        case .putPlace(let revision, let place?):
            try run(
                "INSERT OR REPLACE INTO place (revision, inside, sinceWall, sinceBoot) VALUES (?, ?, ?, ?)",
                [revision, place.isInside, place.since?.wall, place.since?.boot]
            )
        case .putPlace(let revision, nil): try run("DELETE FROM place WHERE revision = ?", [revision])
        case .putPlaceMarks(let marks):
            try run(Self.put("setting"), [StoreSchema.Setting.placeMarks.key, try encoder.encode(marks)])
        }
    }

    private static func put(_ table: String) -> String {
        "INSERT INTO \(table) (key, body) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET body = excluded.body"
    }

    private func trimLedger(_ database: Database, newest: Int64) throws {
        if let count = options.ledger.count {
            try database.execute(
                sql: "DELETE FROM ledger WHERE serial <= (SELECT max(serial) FROM ledger) - ?",
                arguments: [max(0, count)]
            )
        }
        if let age = options.ledger.age {
            let (microseconds, overflow) = Int64(clamping: age.components.seconds)
                .multipliedReportingOverflow(by: 1_000_000)
            let (bound, underflow) = newest.subtractingReportingOverflow(microseconds)
            guard !overflow, !underflow else { return }
            // Lines stand in the order of their dates, but for clocks that were set back: up to the first that is young
            // enough, which reads no more lines than it drops.
            try database.execute(
                sql: """
                    DELETE FROM ledger WHERE serial < coalesce(
                        (SELECT serial FROM ledger WHERE at >= ? ORDER BY serial LIMIT 1), 0)
                    """,
                arguments: [bound]
            )
        }
    }

    static func microseconds(_ date: Date) -> Int64 {
        let scaled = (date.timeIntervalSince1970 * 1e6).rounded()
        return scaled.magnitude < 9e18 ? Int64(scaled) : (scaled < 0 ? .min / 2 : .max / 2)
    }
}
