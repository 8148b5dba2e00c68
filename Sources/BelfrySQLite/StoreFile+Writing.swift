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
        var header = header.withLock { $0 }
        header.transactions += 1
        do {
            try database.inTransaction(.immediate) {
                for change in batch {
                    try fault?(change)
                    if case .appendLedger(let entry) = change {
                        newestLine = Self.microseconds(entry.date)
                        lines += 1
                    }
                    try write(change, to: database, encoder, &header)
                }
                if let newestLine, lines >= options.history.trimInterval {
                    try trimLedger(database, newest: newestLine)
                    lines = 0
                }
                try header.write(to: database)
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
        self.header.withLock { $0 = header }
        // Before anybody is told that the transaction is there.
        _ = mark.withLock { $0?.write(transactions: header.transactions) }
    }

    private func write(
        _ change: StoreChange,
        to database: Database,
        _ encoder: JSONEncoder,
        _ header: inout StoreHeader
    ) throws {
        func run(_ sql: String, _ arguments: StatementArguments) throws {
            try database.cachedStatement(sql: sql).execute(arguments: arguments)
        }
        /// By its key, in place of what is there.
        func put(_ table: SummedTable, _ key: Data, _ value: some Encodable) throws {
            let values = [key.databaseValue, try encoder.encode(value).databaseValue]
            try run(
                """
                INSERT INTO \(table.name) (key, body, sum) VALUES (?, ?, ?)
                ON CONFLICT (key) DO UPDATE SET body = excluded.body, sum = excluded.sum
                """,
                StatementArguments(values + [table.sum(values).databaseValue])
            )
        }
        switch change {
        case .putRequest(let request, let revision, let progress):
            let row = try RequestRow(request, revision: revision, encoder)
            try run("INSERT OR REPLACE INTO request VALUES (?, ?, ?, ?, ?)", row.arguments)
            if revision <= header.revision { try removePending(revision, of: database, &header) }
            let pending = try PendingRow(request, row, progress, encoder)
            try run(PendingRow.insertion, pending.insertionArguments)
            header.revision = max(header.revision, revision)
            header.pending ^= pending.sum
        case .updateProgress(let revision, let progress):
            try run(PendingRow.update, PendingRow.updateArguments(progress, revision))
        case .removeRequest(let revision): try removePending(revision, of: database, &header)
        case .dropContent(let revision): try run("DELETE FROM request WHERE revision = ?", [revision])
        case .putDelivery(let record):
            try put(.delivery, StoreSchema.key(record.id), record)
        case .removeDelivery(let id): try run("DELETE FROM delivery WHERE key = ?", [StoreSchema.key(id)])
        case .appendLedger(let entry):
            try append(entry, to: database, encoder)
        case .putResponse(let response):
            try put(.response, StoreSchema.key(response.id), response)
        case .removeResponse(let id): try run("DELETE FROM response WHERE key = ?", [StoreSchema.key(id)])
        case .putCategories(let all):
            try put(.setting, StoreSchema.Setting.categories.key, all)
        case .putAuthorization(let status):
            try put(.setting, StoreSchema.Setting.authorization.key, status)
        case .putOwner(let owner, let entries) where entries.isEmpty:
            try run("DELETE FROM setting WHERE key = ?", [StoreSchema.ownerKey(owner)])
        case .putOwner(let owner, let entries):
            try put(.setting, StoreSchema.ownerKey(owner), OwnerRow(owner: owner, entries: entries))
        case .putFeed(let name, let record?):
            try put(.setting, StoreSchema.feedKey(name), FeedRow(name: name, record: record))
        case .putFeed(let name, nil):
            try run("DELETE FROM setting WHERE key = ?", [StoreSchema.feedKey(name)])
        case .putClockMapping(let mapping):
            try put(.setting, StoreSchema.Setting.clockMapping.key, mapping)
        case .putQuietHours(let hours?):
            try put(.setting, StoreSchema.Setting.quietHours.key, hours)
        case .putQuietHours(nil):
            try run("DELETE FROM setting WHERE key = ?", [StoreSchema.Setting.quietHours.key])
        case .putPlace(let revision, let place?):
            let values = [
                revision.databaseValue, place.isInside.databaseValue, (place.since?.wall).databaseValue,
                (place.since?.boot).databaseValue,
            ]
            try run(
                "INSERT OR REPLACE INTO place (revision, inside, sinceWall, sinceBoot, sum) VALUES (?, ?, ?, ?, ?)",
                StatementArguments(values + [SummedTable.place.sum(values).databaseValue])
            )
        case .putPlace(let revision, nil): try run("DELETE FROM place WHERE revision = ?", [revision])
        case .putPlaceMarks(let marks):
            try put(.setting, StoreSchema.Setting.placeMarks.key, marks)
        }
    }

    private func removePending(_ revision: Int64, of database: Database, _ header: inout StoreHeader) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM pending WHERE revision = ? RETURNING sum")
        if let sum = try Int64.fetchOne(statement, arguments: [revision]) { header.pending ^= sum }
    }

    func append(_ entry: HistoryEntry, to database: Database, _ encoder: JSONEncoder) throws {
        let values = [
            StoreSchema.key(entry.requestID).databaseValue, Self.microseconds(entry.date).databaseValue,
            try encoder.encode(entry).databaseValue, Data(entry.outcome.rawValue.utf8).databaseValue,
            entry.thread.map { StoreSchema.key($0) }.databaseValue,
        ]
        let sql = "INSERT INTO ledger (key, at, body, outcome, thread, sum) VALUES (?, ?, ?, ?, ?, ?)"
        try database.cachedStatement(sql: sql).execute(
            arguments: StatementArguments(values + [SummedTable.ledger.sum(values).databaseValue])
        )
    }

    /// A line for the store, and one for each request that is known to be lost.
    func appendHistory(of damage: NoticeStore.Damage, to database: Database) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let detail = damage.setAside.map { "\(damage.reason); set aside as '\($0)'" } ?? damage.reason
        var lines = [HistoryEntry(requestID: "", date: damage.foundAt, outcome: .damaged, detail: detail)]
        for request in damage.requests.prefix(Self.damagedLines) {
            guard let id = request.id else { continue }
            lines.append(HistoryEntry(requestID: id, date: damage.foundAt, outcome: .damaged, detail: request.reason))
        }
        try database.inTransaction(.immediate) {
            for line in lines { try append(line, to: database, encoder) }
            return .commit
        }
    }

    /// More lines would drive all others out of the history.
    private static let damagedLines = 1_000

    private func trimLedger(_ database: Database, newest: Int64) throws {
        if let count = options.history.count {
            try database.execute(
                sql: "DELETE FROM ledger WHERE serial <= (SELECT max(serial) FROM ledger) - ?",
                arguments: [max(0, count)]
            )
        }
        if let age = options.history.age {
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
