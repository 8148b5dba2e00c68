import Belfry
import Foundation
import GRDB

/// Saves what can be read of a damaged file into a new one, and sets the damaged one aside.
///
/// The order of steps makes a crash at any instant harmless: the new file is complete before the damaged one loses its
/// name, and an incomplete one is thrown away by ``finishEarlier(in:)``.
enum StoreSalvage {
    private static let logs = ["-wal", "-shm"]

    static func salvage(_ place: StoreFolder, because damage: DatabaseError) throws -> StoreOpeningReport.Damage {
        var report = StoreOpeningReport.Damage(
            setAside: asideName(of: place),
            reason: damage.message ?? "\(damage.extendedResultCode)",
            saved: [:],
            losses: []
        )
        try place.createFile(place.rescued)
        let target = try OpenedFile.open(place.rescued)
        do {
            try copyTables(from: place.database, into: target, &report)
            try target.close()
        } catch {
            try? target.close()
            throw error
        }
        StoreFolder.synchronize(place.path)
        try StoreFolder.rename(place.database, to: report.setAside)
        for log in logs where StoreFolder.exists(place.database + log) {
            try StoreFolder.rename(place.database + log, to: report.setAside + log)
        }
        try StoreFolder.rename(place.rescued, to: place.database)
        StoreFolder.synchronize(place.path)
        return report
    }

    /// Ends what a crash has interrupted.
    static func finishEarlier(in place: StoreFolder) throws(NoticeError) {
        guard StoreFolder.exists(place.rescued) else { return }
        if StoreFolder.exists(place.database) {
            for file in [place.rescued] + logs.map({ place.rescued + $0 }) { unlink(file) }
            return
        }
        // The damaged file has lost its name already; its log must not be taken for the new one's.
        let aside = asideName(of: place)
        for log in logs where StoreFolder.exists(place.database + log) {
            try StoreFolder.rename(place.database + log, to: aside + log)
        }
        try StoreFolder.rename(place.rescued, to: place.database)
        StoreFolder.synchronize(place.path)
    }

    /// `store-damaged-2026-11-21T10-30-00Z.sqlite`, with a number where that is taken.
    private static func asideName(of place: StoreFolder) -> String {
        let date = Date().formatted(.iso8601).replacingOccurrences(of: ":", with: "-")
        let names = (1...).lazy.map { "\(place.path)/store-damaged-\(date)\($0 == 1 ? "" : "-\($0)").sqlite" }
        return names.first { !StoreFolder.exists($0) } ?? "\(place.path)/store-damaged.sqlite"
    }

    /// The tables as the damaged file has them, so that what an earlier version wrote is carried over as it would have been.
    private static func prepare(_ target: DatabaseQueue, like source: DatabaseQueue) throws {
        let migrator = StoreSchema.migrator
        let applied = (try? source.inDatabase { try migrator.appliedIdentifiers($0) }) ?? []
        let names = migrator.migrations
        if let last = names.last(where: applied.contains), last != names.last {
            try migrator.migrate(target, upTo: last)
        } else {
            try migrator.migrate(target)
        }
    }

    /// Pending requests whose content is lost have nothing to show: they are named, and no longer pending.
    private static func leaveOutEmptyRequests(
        of target: DatabaseQueue,
        _ report: inout StoreOpeningReport.Damage
    ) throws {
        let ids = try target.inDatabase { target -> [Data] in
            guard try target.tableExists("pending") else { return [] }
            let rule = "FROM pending WHERE revision NOT IN (SELECT revision FROM request)"
            let ids = try Data.fetchAll(target, sql: "SELECT id \(rule)")
            try target.execute(sql: "DELETE \(rule)")
            return ids
        }
        guard !ids.isEmpty else { return }
        let names = ids.prefix(20).map { "'\(String(decoding: $0, as: UTF8.self))'" }.joined(separator: ", ")
        let more = ids.count > 20 ? " and \(ids.count - 20) more" : ""
        report.saved["pending", default: ids.count] -= ids.count
        report.losses.append("Lost with their content are the requests \(names)\(more).")
    }

    private static func copyTables(
        from path: String,
        into target: DatabaseQueue,
        _ report: inout StoreOpeningReport.Damage
    ) throws {
        let source: DatabaseQueue
        do {
            source = try OpenedFile.open(path)
        } catch {
            report.losses.append("Nothing of the file can be read: \(error)")
            try StoreSchema.migrator.migrate(target)
            return
        }
        defer { try? source.close() }
        try prepare(target, like: source)
        for table in try target.inDatabase(StoreSchema.tables) {
            let salvaged = try source.inDatabase { source in
                try target.inDatabase { target in try TableSalvage(table, source, target).run() }
            }
            report.saved[table] = salvaged.saved
            if let loss = salvaged.loss { report.losses.append(loss) }
        }
        try leaveOutEmptyRequests(of: target, &report)
        // No revision is given twice, although its row is lost.
        let sequence = try? source.inDatabase {
            try Int64.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'request'")
        }
        if let sequence {
            try target.inDatabase {
                try $0.execute(
                    sql: "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'request'",
                    arguments: [sequence]
                )
                try $0.execute(
                    sql: """
                        INSERT INTO sqlite_sequence (name, seq) SELECT 'request', ?
                        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'request')
                        """,
                    arguments: [sequence]
                )
            }
        }
    }
}

/// One table, read around its damage: upwards until it can't be read, downwards the same, and what lies between row by row.
private struct TableSalvage {
    /// Looking for single rows in a hole ends here: each try may read pages.
    private static let probes: Int64 = 200_000

    let table: String
    let source: Database
    let target: Database
    let insertion: Statement
    let key: String
    var saved = 0
    var loss: String?

    init(_ table: String, _ source: Database, _ target: Database) throws {
        self.table = table
        self.source = source
        self.target = target
        // Only columns that both have: the damaged file may be of an earlier version.
        let columns = try target.columns(in: table).map(\.name)
        key = columns[0]
        insertion = try target.makeStatement(
            sql: "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) "
                + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
        )
        self.columns = columns
    }

    private let columns: [String]

    consuming func run() throws -> (saved: Int, loss: String?) {
        try target.execute(sql: "BEGIN IMMEDIATE")
        do {
            let (last, failure) = try copy(order: "ASC", below: nil)
            if let failure {
                let (first, _) = try copy(order: "DESC", below: last)
                try probe(after: last, before: first)
                loss = "Of the table '\(table)' \(saved) rows could be read: \(failure)"
            }
            try target.execute(sql: "COMMIT")
        } catch {
            try? target.execute(sql: "ROLLBACK")
            throw error
        }
        return (saved, loss)
    }

    /// Copies rows until one can't be read; answers the last that could be, and why it ended.
    private mutating func copy(order: String, below bound: Int64?) throws -> (last: Int64?, failure: String?) {
        var last: Int64?
        let names = columns.joined(separator: ", ")
        let rule = bound.map { " WHERE \(key) > \($0)" } ?? ""
        let cursor: RowCursor
        do {
            cursor = try Row.fetchCursor(source, sql: "SELECT \(names) FROM \(table)\(rule) ORDER BY \(key) \(order)")
        } catch { return (nil, "\(error)") }
        while true {
            let row: Row?
            do { row = try cursor.next() } catch { return (last, "\(error)") }
            guard let row else { return (last, nil) }
            try insert(row)
            last = Int64.fromDatabaseValue(row[0]) ?? last
        }
    }

    private mutating func probe(after last: Int64?, before first: Int64?) throws {
        guard let first else { return }
        let start = (last ?? max(0, first - Self.probes)) + 1
        guard start < first else { return }
        let names = columns.joined(separator: ", ")
        for number in start..<min(first, start + Self.probes) {
            let sql = "SELECT \(names) FROM \(table) WHERE \(key) = \(number)"
            if let row = try? Row.fetchOne(source, sql: sql) { try insert(row) }
        }
    }

    private mutating func insert(_ row: Row) throws {
        do {
            try insertion.execute(arguments: StatementArguments(row.databaseValues))
            saved += target.changesCount
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CONSTRAINT || error.resultCode == .SQLITE_MISMATCH
        {
            // A row that holds nonsense is lost, and no reason to lose the others.
            loss = "A row of the table '\(table)' makes no sense: \(error.message ?? "no message")"
        }
    }
}
