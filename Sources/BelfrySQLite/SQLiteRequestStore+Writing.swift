import Belfry
import CSQLite
import FoundationEssentials
import Synchronization

extension SQLiteRequestStore {
    /// Applies the changes in one transaction. Attachments are copied before it and removed after it, so that no row
    /// names a missing file.
    func apply(_ changes: [StoreChange]) throws {
        guard let opened else { return }
        state = nil
        var copied: [Int64] = []
        var made: [String: String] = [:]
        var changes = changes
        do {
            for (index, change) in changes.enumerated() {
                guard case .putRequest(var request, let revision, let progress) = change,
                    !request.content.attachments.isEmpty, !opened.attachments.hasCopies(of: revision)
                else { continue }
                copied.append(revision)
                request.content.attachments = try opened.attachments.copy(
                    request.content.attachments,
                    of: revision,
                    sharing: &made
                )
                changes[index] = .putRequest(request, revision: revision, progress)
            }
            try write(changes, opened)
        } catch {
            for revision in copied { opened.attachments.remove(revision) }
            throw error
        }
        for case .dropContent(let revision) in changes { opened.attachments.remove(revision) }
    }

    /// Writes the changes. If old data that is to be removed is damaged, it stays.
    private func write(_ changes: [StoreChange], _ opened: Opened) throws {
        do { try write(changes, opened, removing: true) } catch let error as SQLiteError where error.isDamage {
            // Nobody needs that data any more, so its damage must not keep everything else from being stored. SQLite
            // commits no transaction in which it has found damage. The next opening repairs the file.
            report(NoticeStore.Damage(reason: error.message))
            try write(changes, opened, removing: false)
        }
    }

    /// - Parameter isRemoving: contents that are dropped, and old history, are removed.
    private func write(_ changes: [StoreChange], _ opened: Opened, removing isRemoving: Bool) throws {
        let database = opened.database
        let fault = fault.withLock { $0 }
        var newestLine: Int64?
        var lineCount = untrimmedCount
        var header = opened.header
        header.transactions += 1
        do {
            try database.transaction {
                for change in changes {
                    if case .dropContent = change, !isRemoving { continue }
                    try fault?(change)
                    if case .appendHistory(let entry) = change {
                        newestLine = entry.date.microsecondsSince1970
                        lineCount += 1
                    }
                    try write(change, to: database, &header)
                }
                if let newestLine, lineCount >= options.history.trimInterval {
                    if isRemoving { try trimHistory(database, newest: newestLine) }
                    lineCount = 0
                }
                try header.write(to: database)
            }
        } catch let error as SQLiteError where error.code == SQLITE_IOERR || error.code == SQLITE_FULL {
            // A log whose fsync failed may contain the whole transaction nevertheless, and a crash now would restore
            // it. Emptying the log prevents this.
            try? database.emptyLog()
            throw error
        }
        untrimmedCount = lineCount
        opened.header = header
        // Written before the caller learns that the transaction is stored.
        opened.mark.write(transactions: header.transactions)
    }

    private func write(_ change: StoreChange, to database: SQLiteDatabase, _ header: inout StoreHeader) throws {
        /// Inserts a row by its key, or replaces it.
        func put(_ table: SummedTable, _ key: Data, _ value: some Encodable) throws {
            try table.insert([.null, .blob(key), .blob(try encoder.encode(value))], into: database)
        }
        func put(_ setting: StoreSchema.Setting, _ value: some Encodable) throws {
            try put(.setting, setting.key, value)
        }
        func remove(_ table: SummedTable, _ key: Data) throws {
            try database.run("DELETE FROM \(table.name) WHERE key = ?", [.blob(key)])
        }
        switch change {
        case .putRequest(let request, let revision, let progress):
            let row = try RequestRow(request, revision: revision, encoder)
            try row.insert(into: database)
            if revision <= header.revision { try removePending(revision, of: database, &header) }
            let pending = try PendingRow(request, row, progress, encoder)
            let sums = try SummedTable.pending.insert(pending.values, into: database)
            header.revision = max(header.revision, revision)
            header.pending ^= sums[0]
        case .updateProgress(let revision, let progress): try PendingRow.update(revision, progress, in: database)
        case .removeRequest(let revision): try removePending(revision, of: database, &header)
        case .dropContent(let revision):
            try database.run("DELETE FROM request WHERE revision = ?", [.integer(revision)])
        case .putDelivery(let record): try put(.delivery, StoreSchema.key(record.id), record)
        case .removeDelivery(let id): try remove(.delivery, StoreSchema.key(id))
        case .appendHistory(let entry): try append(entry, to: database)
        case .putResponse(let response): try put(.response, StoreSchema.key(response.id), response)
        case .removeResponse(let id): try remove(.response, StoreSchema.key(id))
        case .putCategories(let all): try put(.categories, all)
        case .putAuthorization(let status): try put(.authorization, status)
        case .putOwner(let owner, let entries) where entries.isEmpty: try remove(.setting, StoreSchema.ownerKey(owner))
        case .putOwner(let owner, let entries):
            try put(.setting, StoreSchema.ownerKey(owner), OwnerRow(owner: owner, entries: entries))
        case .putFeed(let name, let record?):
            try put(.setting, StoreSchema.feedKey(name), FeedRow(name: name, record: record))
        case .putFeed(let name, nil): try remove(.setting, StoreSchema.feedKey(name))
        case .putClockMapping(let mapping): try put(.clockMapping, mapping)
        case .putQuietHours(let hours?): try put(.quietHours, hours)
        case .putQuietHours(nil): try remove(.setting, StoreSchema.Setting.quietHours.key)
        case .putPlace(let revision, let progress?):
            try SummedTable.region.insert(
                [
                    .integer(revision), .integer(progress.isInside ? 1 : 0), SQLiteValue(progress.since?.wall),
                    SQLiteValue(progress.since?.boot),
                ],
                into: database
            )
        case .putPlace(let revision, nil):
            try database.run("DELETE FROM place WHERE revision = ?", [.integer(revision)])
        case .putPlaceMarks(let marks): try put(.placeMarks, marks)
        }
    }

    private func removePending(_ revision: Int64, of database: SQLiteDatabase, _ header: inout StoreHeader) throws {
        let sql = "DELETE FROM pending WHERE revision = ? RETURNING sum"
        if let sum = try database.first(sql, [.integer(revision)], { $0.integer(0) }) { header.pending ^= sum }
    }

    private func append(_ entry: HistoryEntry, to database: SQLiteDatabase) throws {
        try SummedTable.history.insert(
            [
                .null, .blob(StoreSchema.key(entry.requestID)), .integer(entry.date.microsecondsSince1970),
                .blob(try encoder.encode(entry)), .blob(Data(entry.outcome.rawValue.utf8)),
                SQLiteValue(entry.thread.map(StoreSchema.key)),
            ],
            into: database
        )
    }

    /// Appends an entry for the store, and one for each request that is known to be lost.
    func appendHistory(of damage: NoticeStore.Damage, to database: SQLiteDatabase) throws {
        let detail = damage.setAside.map { "\(damage.reason); set aside as '\($0)'" } ?? damage.reason
        var lines = [HistoryEntry(requestID: "", date: damage.foundAt, outcome: .damaged, detail: detail)]
        for request in damage.requests.prefix(Self.damagedLineCount) {
            guard let id = request.id else { continue }
            lines.append(HistoryEntry(requestID: id, date: damage.foundAt, outcome: .damaged, detail: request.reason))
        }
        try database.transaction { for line in lines { try append(line, to: database) } }
    }

    /// The limit of these entries, so that they don't displace all others.
    private static let damagedLineCount = 1_000

    private func trimHistory(_ database: SQLiteDatabase, newest: Int64) throws {
        if let count = options.history.count {
            try database.run(
                "DELETE FROM ledger WHERE serial <= (SELECT max(serial) FROM ledger) - ?",
                [.integer(Int64(max(0, count)))]
            )
        }
        if let age = options.history.age {
            // Both are clamped to less than half of the range.
            let bound = newest - age.microseconds
            // Entries are in the order of their dates, unless a clock was set back. The search stops at the first
            // recent entry, so it reads no more entries than it drops.
            try database.run(
                """
                DELETE FROM ledger WHERE serial < coalesce(
                    (SELECT serial FROM ledger WHERE at >= ? ORDER BY serial LIMIT 1), 0)
                """,
                [.integer(bound)]
            )
        }
    }
}
