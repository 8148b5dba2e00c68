import Belfry
import Foundation
import GRDB
import Synchronization

extension StoreFile {
    /// One pass over each table but the contents. What can't be read is left where it is, and reported.
    func readState(of database: Database) throws -> StoredState {
        var scan = PendingScan(database, options.triggers)
        try scan.run()
        var found = scan.unreadable
        var state = StoredState(pending: scan.pending)
        state.dormant = scan.dormant
        state.deliveries = try readAll(DeliveryRecord.self, "delivery", of: database, &found)
            .sorted { ($0.dueAt.wall, $0.id) < ($1.dueAt.wall, $1.id) }
        state.responses = try readAll(NoticeResponse.self, "response", of: database, &found)
            .sorted { ($0.at, $0.id) < ($1.at, $1.id) }
        state.categories = try read([NoticeCategory].self, .categories, of: database, &found) ?? []
        state.authorization = try read(AuthorizationStatus.self, .authorization, of: database, &found)
        state.clockMapping = try read(ClockMapping.self, .clockMapping, of: database, &found)
        state.owners = try readOwners(of: database, &found)
        state.windows = try readWindows(of: database, &found)
        state.quietHours = try read(QuietHours.self, .quietHours, of: database, &found)
        state.places = try readPlaces(of: database)
        state.placeMarks = try read(PlaceMarks.self, .placeMarks, of: database, &found) ?? PlaceMarks()
        let last = try Int64.fetchOne(
            database,
            sql: "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'request'), 0)"
        )
        // Deliveries outlive the content that a damaged file has lost.
        let highest = max(
            last ?? 0,
            state.pending.last?.revision ?? 0,
            state.deliveries.map(\.revision).max() ?? 0
        )
        state.nextRevision = max(1, highest == .max ? .max : highest + 1)
        report.withLock { report in
            report.dormant = state.dormant
            report.unreadable = found
            state.findings = report.findings
        }
        return state
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

    /// Those of requests that are pending: a damaged file may have lost one.
    private func readPlaces(of database: Database) throws -> [Int64: PlaceProgress] {
        var places: [Int64: PlaceProgress] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT place.revision, inside, sinceWall, sinceBoot FROM place
                JOIN pending ON pending.revision = place.revision
                """
        )
        while let row = try rows.next() {
            let (wall, boot) = (Int64.fromDatabaseValue(row[2]), Int64.fromDatabaseValue(row[3]))
            let since = wall.flatMap { wall in boot.map { TriggerInstant(wall: wall, boot: $0) } }
            places[row[0]] = PlaceProgress(isInside: row[1], since: since)
        }
        return places
    }

    private func readOwners(
        of database: Database,
        _ found: inout [StoreOpeningReport.Unreadable]
    ) throws -> [String: [OwnedEntry]] {
        var owners: [String: [OwnedEntry]] = [:]
        for row in try readSettings(OwnerRow.self, beginningWith: StoreSchema.ownerPrefix, of: database, &found) {
            owners[row.owner] = row.entries
        }
        return owners
    }

    private func readWindows(
        of database: Database,
        _ found: inout [StoreOpeningReport.Unreadable]
    ) throws -> [String: WindowRecord] {
        var windows: [String: WindowRecord] = [:]
        for row in try readSettings(WindowRow.self, beginningWith: StoreSchema.windowPrefix, of: database, &found) {
            windows[row.window] = row.record
        }
        return windows
    }

    private func readSettings<Value: Decodable>(
        _ type: Value.Type,
        beginningWith prefix: String,
        of database: Database,
        _ found: inout [StoreOpeningReport.Unreadable]
    ) throws -> [Value] {
        let prefix = Data(prefix.utf8)
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT serial, body FROM setting WHERE substr(key, 1, ?) = ? ORDER BY serial",
            arguments: [prefix.count, prefix]
        )
        let decoder = JSONDecoder()
        var all: [Value] = []
        while let row = try rows.next() {
            do { all.append(try decoder.decode(type, from: row[1] as Data)) } catch {
                found.append(StoreOpeningReport.Unreadable(table: "setting", row: row[0], reason: "\(error)"))
            }
        }
        return all
    }

    func readRequest(_ revision: Int64, of database: Database) throws -> NoticeRequest? {
        guard let stored = try readRow(revision, of: database) else { return nil }
        switch RequestReader(triggers: options.triggers).read(stored) {
        case .request(let request), .dormant(let request, _, _): return request
        case .unreadable(let reason):
            throw NoticeError(
                .contentUnreadable,
                "The request of revision \(revision) in '\(path)' can't be read by this version of Belfry: use the version "
                    + "that wrote it, or remove the request.",
                cause: reason
            )
        }
    }

    /// On all cores where there are many; what can't be read is left out.
    func readRequests(_ revisions: [Int64], of database: Database) throws -> [Int64: NoticeRequest] {
        let rows = try revisions.compactMap { try readRow($0, of: database) }
        var found: [Int64: NoticeRequest] = [:]
        for (row, reading) in zip(rows, RequestReader(triggers: options.triggers).read(rows)) {
            switch reading {
            case .request(let request), .dormant(let request, _, _): found[row.revision] = request
            case .unreadable: break
            }
        }
        return found
    }

    private func readRow(_ revision: Int64, of database: Database) throws -> RequestRow? {
        let statement = try database.cachedStatement(sql: "SELECT body, kind, payload FROM request WHERE revision = ?")
        guard let row = try Row.fetchOne(statement, arguments: [revision]) else { return nil }
        return RequestRow(revision: revision, body: row[0], kind: row[1], payload: row[2])
    }

    /// A line that can't be read is left out: the others are wanted all the same.
    func readLedger(_ query: LedgerQuery, of database: Database) throws -> [LedgerEntry] {
        var conditions: [String] = []
        var arguments = StatementArguments()
        func require(_ condition: String, _ values: [any DatabaseValueConvertible]) {
            conditions.append(condition)
            arguments += StatementArguments(values)
        }
        if let id = query.requestID { require("key = ?", [StoreSchema.key(id)]) }
        if let thread = query.thread { require("thread = ?", [StoreSchema.key(thread)]) }
        if let from = query.from { require("at >= ?", [Self.microseconds(from)]) }
        if let until = query.until { require("at < ?", [Self.microseconds(until)]) }
        if let outcomes = query.outcomes {
            let marks = repeatElement("?", count: outcomes.count).joined(separator: ", ")
            require("outcome IN (\(marks))", outcomes.map { Data($0.rawValue.utf8) })
        }
        let rule = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        arguments += [query.limit.map { max(0, $0) } ?? -1]
        let bodies = try Data.fetchAll(
            database,
            sql: "SELECT body FROM ledger \(rule) ORDER BY serial DESC LIMIT ?",
            arguments: arguments
        )
        let decoder = JSONDecoder()
        let newestFirst = bodies.compactMap { try? decoder.decode(LedgerEntry.self, from: $0) }
        return query.newestFirst ? newestFirst : newestFirst.reversed()
    }
}
