import Belfry
import FoundationEssentials
import Synchronization

extension SQLiteRequestStore {
    /// Reads the data that decides when requests fire, and any damage in it. Updates the opening report.
    func readState(of database: SQLiteDatabase) throws -> (state: StoredState, damage: FoundDamage?) {
        var reader = StateReader(database, options.triggers)
        try reader.run()
        var state = reader.state
        report.withLock { report in
            report.dormant = state.dormant
            report.unreadable = reader.unreadable
            state.errors = report.errors
        }
        return (state, reader.damage)
    }

    func readRequest(_ revision: Int64, of database: SQLiteDatabase) throws -> NoticeRequest? {
        let stored: RequestRow
        do {
            guard let row = try RequestRow.read(revision, of: database) else { return nil }
            stored = row
        } catch let damage as FoundDamage {
            report(damage, of: revision, in: database)
            throw NoticeError(
                .contentUnreadable,
                "The request of revision \(revision) in '\(path)' is damaged: add it anew, or remove it.",
                cause: damage.reason
            )
        }
        do { return try requestReader.read(stored) } catch {
            throw NoticeError(
                .contentUnreadable,
                "The request of revision \(revision) in '\(path)' can't be read by this version of Belfry: use the "
                    + "version that wrote it, or remove the request.",
                cause: "\(error)"
            )
        }
    }

    /// Reads requests, many of them on all cores; unreadable ones are left out.
    func readRequests(_ revisions: [Int64], of database: SQLiteDatabase) throws -> [Int64: NoticeRequest] {
        var rows: [RequestRow] = []
        for revision in revisions {
            do {
                if let row = try RequestRow.read(revision, of: database) { rows.append(row) }
            } catch let damage as FoundDamage { report(damage, of: revision, in: database) }
        }
        let requests = requestReader.read(rows)
        var found: [Int64: NoticeRequest] = [:]
        for (row, request) in zip(rows, requests) { found[row.revision] = request }
        return found
    }

    private var requestReader: RequestReader {
        RequestReader(triggers: options.triggers, attachments: files.attachments)
    }

    /// Stores a report of damaged content once; the next opening checks the whole file.
    private func report(_ damage: FoundDamage, of revision: Int64, in database: SQLiteDatabase) {
        let sql = "SELECT id FROM pending WHERE revision = ?"
        let id = try? database.first(sql, [.integer(revision)]) { $0.text(0) }
        let reason = "the content of revision \(revision): \(damage.reason)"
        let request = NoticeStore.UnreadableRequest(id: id, revision: revision, reason: reason)
        let losses = ["The request \(id.map { "'\($0)'" } ?? "of revision \(revision)") has to be added anew."]
        report(NoticeStore.Damage(reason: reason, losses: losses, requests: [request]))
    }

    /// Returns entries of the history; unreadable ones are left out.
    func readHistory(_ query: HistoryQuery, of database: SQLiteDatabase) throws -> [HistoryEntry] {
        var conditions: [String] = []
        var values: [SQLiteValue] = []
        func require(_ condition: String, _ value: SQLiteValue) {
            conditions.append(condition)
            values.append(value)
        }
        if let id = query.requestID { require("key = ?", .blob(StoreSchema.key(id))) }
        if let thread = query.thread { require("thread = ?", .blob(StoreSchema.key(thread))) }
        if let from = query.from { require("at >= ?", .integer(from.microsecondsSince1970)) }
        if let until = query.until { require("at < ?", .integer(until.microsecondsSince1970)) }
        if let outcomes = query.outcomes {
            let marks = repeatElement("?", count: outcomes.count).joined(separator: ", ")
            conditions.append("outcome IN (\(marks))")
            values += outcomes.map { .blob(Data($0.rawValue.utf8)) }
        }
        let rule = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        values.append(.integer(query.limit.map { Int64(max(0, $0)) } ?? -1))
        let decoder = JSONDecoder()
        var isDamaged = false
        let newestFirst: [HistoryEntry] = try database.all(
            "\(SummedTable.history.selection) \(rule) ORDER BY serial DESC LIMIT ?",
            values
        ) { row in
            guard SummedTable.history.isIntact(row), let body = row.blob(3) else {
                isDamaged = true
                return nil
            }
            return try? decoder.decode(HistoryEntry.self, from: body)
        }
        if isDamaged { report(NoticeStore.Damage(reason: "lines of the history don't match their checksums")) }
        return query.newestFirst ? newestFirst : newestFirst.reversed()
    }
}
