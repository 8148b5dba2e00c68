import Belfry
import Foundation
import GRDB
import Synchronization

extension StoreFile {
    /// One pass over each table. What can't be read is left where it is, and reported.
    func readState(of database: Database) throws -> StoredState {
        var found: [StoreOpeningReport.Unreadable] = []
        var state = StoredState()
        var dormant: [StoreOpeningReport.Dormant] = []
        try readPending(of: database, into: &state, &dormant, &found)
        state.deliveries = try readAll(DeliveryRecord.self, "delivery", of: database, &found)
            .sorted { ($0.dueAt.wall, $0.id) < ($1.dueAt.wall, $1.id) }
        state.responses = try readAll(NoticeResponse.self, "response", of: database, &found)
            .sorted { ($0.at, $0.id) < ($1.at, $1.id) }
        state.categories = try read([NoticeCategory].self, .categories, of: database, &found) ?? []
        state.authorization = try read(AuthorizationStatus.self, .authorization, of: database, &found)
        state.clockMapping = try read(ClockMapping.self, .clockMapping, of: database, &found)
        let last = try Int64.fetchOne(
            database,
            sql: """
                SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'request'), 0),
                           coalesce((SELECT max(revision) FROM progress), 0))
                """
        )
        // Deliveries outlive the content that a damaged file has lost.
        let highest = max(last ?? 0, state.deliveries.map(\.revision).max() ?? 0)
        state.nextRevision = max(1, highest == .max ? .max : highest + 1)
        report.withLock { report in
            report.dormant = dormant
            report.unreadable = found
        }
        return state
    }

    private func readPending(
        of database: Database,
        into state: inout StoredState,
        _ dormant: inout [StoreOpeningReport.Dormant],
        _ found: inout [StoreOpeningReport.Unreadable]
    ) throws {
        let reader = RequestReader(triggers: options.triggers)
        var rows: [RequestRow] = []
        var progress: [TriggerProgress] = []
        func takeIn() {
            for (index, reading) in reader.read(rows).enumerated() {
                let revision = rows[index].revision
                switch reading {
                case .request(let request), .dormant(let request, _, _):
                    state.pending.append(
                        StoredState.Pending(request: request, revision: revision, progress: progress[index])
                    )
                case .unreadable(let reason):
                    found.append(StoreOpeningReport.Unreadable(table: "request", row: revision, reason: reason))
                }
                if case .dormant(let request, let kind, let reason) = reading {
                    dormant.append(
                        StoreOpeningReport.Dormant(
                            requestID: request.id,
                            revision: revision,
                            kind: kind,
                            reason: reason
                        )
                    )
                }
            }
            rows.removeAll(keepingCapacity: true)
            progress.removeAll(keepingCapacity: true)
        }
        let cursor = try Row.fetchCursor(
            database,
            sql: """
                SELECT progress.revision, anchor, fired, lastDue, lastLocal, body, kind, payload
                FROM progress JOIN request ON request.revision = progress.revision ORDER BY progress.revision
                """
        )
        // Some thousands at a time: enough for all cores, and the bytes of no more than these beside the requests.
        while let row = try cursor.next() {
            rows.append(RequestRow(revision: row[0], body: row[5], kind: row[6], payload: row[7]))
            progress.append(TriggerProgress(anchor: row[1], fired: row[2], lastDue: row[3], lastLocal: row[4]))
            if rows.count == 8_192 { takeIn() }
        }
        takeIn()
    }

    private func readAll<Value: Decodable>(
        _ type: Value.Type,
        _ table: String,
        of database: Database,
        _ found: inout [StoreOpeningReport.Unreadable]
    ) throws -> [Value] {
        let decoder = JSONDecoder()
        var all: [Value] = []
        let cursor = try Row.fetchCursor(database, sql: "SELECT serial, body FROM \(table) ORDER BY serial")
        while let row = try cursor.next() {
            do { all.append(try decoder.decode(type, from: row[1] as Data)) } catch {
                found.append(StoreOpeningReport.Unreadable(table: table, row: row[0], reason: "\(error)"))
            }
        }
        return all
    }

    private func read<Value: Decodable>(
        _ type: Value.Type,
        _ setting: StoreSchema.Setting,
        of database: Database,
        _ found: inout [StoreOpeningReport.Unreadable]
    ) throws -> Value? {
        let sql = "SELECT serial, body FROM setting WHERE key = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [setting.key]) else { return nil }
        do { return try JSONDecoder().decode(type, from: row[1] as Data) } catch {
            found.append(StoreOpeningReport.Unreadable(table: "setting", row: row[0], reason: "\(error)"))
            return nil
        }
    }

    func readRequest(_ revision: Int64, of database: Database) throws -> NoticeRequest? {
        let statement = try database.cachedStatement(sql: "SELECT body, kind, payload FROM request WHERE revision = ?")
        guard let row = try Row.fetchOne(statement, arguments: [revision]) else { return nil }
        let stored = RequestRow(revision: revision, body: row[0], kind: row[1], payload: row[2])
        switch RequestReader(triggers: options.triggers).read(stored) {
        case .request(let request), .dormant(let request, _, _): return request
        case .unreadable(let reason):
            throw NoticeError(
                .storeFailed,
                "The request of revision \(revision) in '\(path)' can't be read by this version of Belfry; it is kept "
                    + "as it is. Use the version that wrote it.",
                cause: reason
            )
        }
    }

    /// A line that can't be read is left out: the others are wanted all the same.
    func readLedger(_ query: LedgerQuery, of database: Database) throws -> [LedgerEntry] {
        let limit = query.limit.map { max(0, $0) } ?? -1
        let bodies =
            if let id = query.requestID {
                try Data.fetchAll(
                    database,
                    sql: "SELECT body FROM ledger WHERE key = ? ORDER BY serial DESC LIMIT ?",
                    arguments: [StoreSchema.key(id), limit]
                )
            } else {
                try Data.fetchAll(
                    database,
                    sql: "SELECT body FROM ledger ORDER BY serial DESC LIMIT ?",
                    arguments: [limit]
                )
            }
        let decoder = JSONDecoder()
        return bodies.reversed().compactMap { try? decoder.decode(LedgerEntry.self, from: $0) }
    }
}
