import Belfry
import Foundation
import GRDB
import Synchronization

extension StoreFile {
    /// One pass over each table but the contents. What can't be read is left where it is, and reported; what is damaged is left
    /// out, and reported with the state.
    func readState(of database: Database) throws -> (state: StoredState, damage: FoundDamage?) {
        var scan = PendingScan(database, options.triggers)
        try scan.run()
        var found = RowFindings(unreadable: scan.unreadable)
        for revision in scan.damaged { found.addDamage("pending", revision) }
        for revision in scan.withoutContent { found.addDamage("request", revision) }
        var state = StoredState(pending: scan.pending)
        state.dormant = scan.dormant
        state.deliveries = try readAll(DeliveryRecord.self, .delivery, of: database, &found)
            .sorted { ($0.dueAt.wall, $0.id) < ($1.dueAt.wall, $1.id) }
        state.responses = try readAll(NoticeResponse.self, .response, of: database, &found)
            .sorted { ($0.date, $0.id) < ($1.date, $1.id) }
        state.categories = try read([NoticeCategory].self, .categories, of: database, &found) ?? []
        state.authorization = try read(AuthorizationStatus.self, .authorization, of: database, &found)
        state.clockMapping = try read(ClockMapping.self, .clockMapping, of: database, &found)
        state.owners = try readOwners(of: database, &found)
        state.feeds = try readFeeds(of: database, &found)
        state.quietHours = try read(QuietHours.self, .quietHours, of: database, &found)
        state.places = try readPlaces(of: database, &found)
        state.placeMarks = try read(RegionMarks.self, .placeMarks, of: database, &found) ?? RegionMarks()
        if let header = try StoreHeader.read(database) {
            if header.pending != scan.digest, scan.damaged.isEmpty {
                found.damaged.append("pending requests are missing")
            }
            state.nextRevision = header.revision
        } else {
            found.addDamage("header", 1)
        }
        // Deliveries outlive the content that a damaged file has lost.
        let highest = max(
            state.nextRevision,
            state.pending.last?.revision ?? 0,
            state.deliveries.map(\.revision).max() ?? 0
        )
        state.nextRevision = max(1, highest == .max ? .max : highest + 1)
        report.withLock { report in
            report.dormant = state.dormant
            report.unreadable = found.unreadable
            state.findings = report.findings
        }
        return (state, found.damaged.isEmpty ? nil : FoundDamage(found.damaged.prefix(3).joined(separator: "; ")))
    }

    private func readAll<Value: Decodable>(
        _ type: Value.Type,
        _ table: SummedTable,
        where rule: String = "1",
        _ arguments: StatementArguments = [],
        of database: Database,
        _ found: inout RowFindings
    ) throws -> [Value] {
        let decoder = JSONDecoder()
        var all: [Value] = []
        let cursor = try Row.fetchCursor(
            database,
            sql: "SELECT serial, key, body, sum FROM \(table.name) WHERE \(rule) ORDER BY serial",
            arguments: arguments
        )
        while let row = try cursor.next() {
            let values = Array(row.databaseValues)
            let serial = Int64.fromDatabaseValue(values[0]) ?? 0
            guard table.sum([values[1], values[2]]).databaseValue == values[3],
                let body = Data.fromDatabaseValue(values[2])
            else {
                found.addDamage(table.name, serial)
                continue
            }
            do { all.append(try decoder.decode(type, from: body)) } catch {
                found.unreadable.append(
                    StoreOpeningReport.Unreadable(table: table.name, row: serial, reason: "\(error)")
                )
            }
        }
        return all
    }

    private func read<Value: Decodable>(
        _ type: Value.Type,
        _ setting: StoreSchema.Setting,
        of database: Database,
        _ found: inout RowFindings
    ) throws -> Value? {
        try readAll(type, .setting, where: "key = ?", [setting.key], of: database, &found).first
    }

    /// Those of requests that are pending: a damaged file may have lost one.
    private func readPlaces(of database: Database, _ found: inout RowFindings) throws -> [Int64: RegionProgress] {
        var places: [Int64: RegionProgress] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT place.revision, inside, sinceWall, sinceBoot, place.sum FROM place
                JOIN pending ON pending.revision = place.revision
                """
        )
        while let row = try rows.next() {
            let values = Array(row.databaseValues)
            let numbers = values.map { Int64.fromDatabaseValue($0) }
            guard let revision = numbers[0], let inside = numbers[1],
                SummedTable.place.sum(Array(values.dropLast())) == numbers[4]
            else {
                found.addDamage("place", numbers[0] ?? 0)
                continue
            }
            let since = numbers[2].flatMap { wall in numbers[3].map { TriggerInstant(wall: wall, boot: $0) } }
            places[revision] = RegionProgress(isInside: inside != 0, since: since)
        }
        return places
    }

    private func readOwners(
        of database: Database,
        _ found: inout RowFindings
    ) throws -> [String: [OwnedEntry]] {
        var owners: [String: [OwnedEntry]] = [:]
        for row in try readSettings(OwnerRow.self, beginningWith: StoreSchema.ownerPrefix, of: database, &found) {
            owners[row.owner] = row.entries
        }
        return owners
    }

    private func readFeeds(
        of database: Database,
        _ found: inout RowFindings
    ) throws -> [String: RegionFeedRecord] {
        var feeds: [String: RegionFeedRecord] = [:]
        for row in try readSettings(FeedRow.self, beginningWith: StoreSchema.feedPrefix, of: database, &found) {
            feeds[row.name] = row.record
        }
        return feeds
    }

    private func readSettings<Value: Decodable>(
        _ type: Value.Type,
        beginningWith prefix: String,
        of database: Database,
        _ found: inout RowFindings
    ) throws -> [Value] {
        let prefix = Data(prefix.utf8)
        let rule = "substr(key, 1, ?) = ?"
        return try readAll(type, .setting, where: rule, [prefix.count, prefix], of: database, &found)
    }

    func readRequest(_ revision: Int64, of database: Database) throws -> NoticeRequest? {
        let reason: String
        do {
            guard let stored = try RequestRow.read(revision, of: database) else { return nil }
            switch RequestReader(triggers: options.triggers).read(stored) {
            case .request(let request), .dormant(let request, _, _): return request
            case .unreadable(let why): reason = why
            }
        } catch let damage as FoundDamage {
            report(damage, of: revision, in: database)
            throw NoticeError(
                .contentUnreadable,
                "The request of revision \(revision) in '\(path)' is damaged: add it anew, or remove it.",
                cause: damage.reason
            )
        }
        throw NoticeError(
            .contentUnreadable,
            "The request of revision \(revision) in '\(path)' can't be read by this version of Belfry: use the version "
                + "that wrote it, or remove the request.",
            cause: reason
        )
    }

    /// On all cores where there are many; what can't be read is left out.
    func readRequests(_ revisions: [Int64], of database: Database) throws -> [Int64: NoticeRequest] {
        var rows: [RequestRow] = []
        for revision in revisions {
            do {
                if let row = try RequestRow.read(revision, of: database) { rows.append(row) }
            } catch let damage as FoundDamage { report(damage, of: revision, in: database) }
        }
        var found: [Int64: NoticeRequest] = [:]
        for (row, reading) in zip(rows, RequestReader(triggers: options.triggers).read(rows)) {
            switch reading {
            case .request(let request), .dormant(let request, _, _): found[row.revision] = request
            case .unreadable: break
            }
        }
        return found
    }

    /// Keeps a report of a damaged content, once; the next opening looks at all of the file.
    private func report(_ damage: FoundDamage, of revision: Int64, in database: Database) {
        let sql = "SELECT id FROM pending WHERE revision = ?"
        let id = (try? Data.fetchOne(database, sql: sql, arguments: [revision])).flatMap { $0 }
        let name = id.map { String(decoding: $0, as: UTF8.self) }
        let reason = "the content of revision \(revision): \(damage.reason)"
        let request = NoticeStore.UnreadableRequest(id: name, revision: revision, reason: reason)
        let losses = ["The request \(name.map { "'\($0)'" } ?? "of revision \(revision)") has to be added anew."]
        report(NoticeStore.Damage(reason: reason, losses: losses, requests: [request]))
    }

    /// A line that can't be read is left out: the others are wanted all the same.
    func readLedger(_ query: HistoryQuery, of database: Database) throws -> [HistoryEntry] {
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
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT key, at, body, outcome, thread, sum FROM ledger \(rule) ORDER BY serial DESC LIMIT ?",
            arguments: arguments
        )
        let decoder = JSONDecoder()
        var newestFirst: [HistoryEntry] = []
        var damaged = 0
        while let row = try rows.next() {
            let values = Array(row.databaseValues)
            guard SummedTable.ledger.sum(Array(values.dropLast())).databaseValue == values.last,
                let body = Data.fromDatabaseValue(values[2])
            else {
                damaged += 1
                continue
            }
            if let entry = try? decoder.decode(HistoryEntry.self, from: body) { newestFirst.append(entry) }
        }
        if damaged > 0 { report(NoticeStore.Damage(reason: "lines of the history don't match their checksums")) }
        return query.newestFirst ? newestFirst : newestFirst.reversed()
    }
}

/// What reading the tables came upon.
private struct RowFindings {
    var unreadable: [StoreOpeningReport.Unreadable]
    /// In words.
    var damaged: [String] = []

    mutating func addDamage(_ table: String, _ row: Int64) {
        damaged.append("row \(row) of the table '\(table)' does not match its checksum")
    }
}
