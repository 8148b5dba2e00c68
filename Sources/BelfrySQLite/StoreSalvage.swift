import Belfry
import Foundation
import GRDB

/// Saves what can be read of a damaged file into a new one, and sets the damaged one aside.
///
/// The order of steps makes a crash at any instant harmless: the report is kept and the new file is complete before the damaged
/// one loses its name, and an incomplete one is thrown away by ``finishEarlier(in:)``. The damaged file is read from a copy.
enum StoreSalvage {
    private static let logs = ["-wal", "-shm"]

    static func salvage(
        _ place: StoreFolder,
        because damage: FoundDamage,
        _ evidence: LogEvidence
    ) throws -> NoticeStore.Damage {
        var report = NoticeStore.Damage(reason: damage.reason, setAside: asideName(of: place))
        try place.createFile(place.rescued)
        let target = try OpenedFile.open(place.rescued)
        do {
            try copyTables(of: place, into: target, evidence, &report)
            try target.close()
        } catch {
            try? target.close()
            throw error
        }
        try StoreDamageLog(folder: place.path).add(report)
        StoreFolder.synchronize(place.path)
        let aside = report.setAside ?? asideName(of: place)
        try StoreFolder.rename(place.database, to: aside)
        for log in logs where StoreFolder.exists(place.database + log) {
            try StoreFolder.rename(place.database + log, to: aside + log)
        }
        try StoreFolder.rename(place.rescued, to: place.database)
        StoreFolder.synchronize(place.path)
        return report
    }

    /// Ends what a crash has interrupted.
    static func finishEarlier(in place: StoreFolder) throws(NoticeError) {
        for file in [""] + logs { unlink(place.examined + file) }
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

    private static func copyTables(
        of place: StoreFolder,
        into target: DatabaseQueue,
        _ evidence: LogEvidence,
        _ report: inout NoticeStore.Damage
    ) throws {
        defer { for file in [""] + logs { unlink(place.examined + file) } }
        let source: DatabaseQueue
        do {
            source = try examine(place, evidence)
        } catch {
            report.losses.append("Nothing of the file can be read: \(error)")
            try StoreSchema.migrator.migrate(target)
            return
        }
        defer { try? source.close() }
        try StoreSchema.migrator.migrate(target, upTo: try source.inDatabase(version))
        try target.inDatabase {
            // The migration's own row: the damaged file has another, or none that can be believed.
            if try $0.tableExists("header") { try $0.execute(sql: "DELETE FROM header") }
        }
        for table in try target.inDatabase(StoreSchema.tables) {
            let salvaged = try source.inDatabase { source in
                try target.inDatabase { target in try TableSalvage(table, source, target).run() }
            }
            report.saved[table] = salvaged.saved
            report.losses += salvaged.losses
        }
        let sequence = try? source.inDatabase {
            try Int64.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'request'")
        }
        try target.inDatabase { target in
            try LostRequests.find(in: target, &report)
            try settleHeader(of: target, sequence: sequence, mark: evidence.mark, &report)
        }
        report.saved["header"] = nil
    }

    /// A copy of the damaged file, with what is the same in every store put right, and with all of its log.
    private static func examine(_ place: StoreFolder, _ evidence: LogEvidence) throws -> DatabaseQueue {
        try copyFile(of: place, hasLog: evidence.hasLog)
        let log = place.database + "-wal"
        guard evidence.hasLog else { return try OpenedFile.open(place.examined) }
        try FileManager.default.copyItem(atPath: log, toPath: place.examined + "-wal")
        let source = try OpenedFile.open(place.examined)
        let held = (try? source.inDatabase { try StoreHeader.read($0)?.transactions }) ?? 0
        guard evidence.hasUnreadTransactions(after: held), let whole = WriteAheadLog(log)?.repaired() else {
            return source
        }
        // Closing moves the log into the file: both are copied anew.
        try source.close()
        for file in [""] + logs { unlink(place.examined + file) }
        try copyFile(of: place, hasLog: true)
        try whole.write(to: URL(fileURLWithPath: place.examined + "-wal"))
        return try OpenedFile.open(place.examined)
    }

    private static func copyFile(of place: StoreFolder, hasLog: Bool) throws {
        try FileManager.default.copyItem(atPath: place.database, toPath: place.examined)
        guard !StoreFileHeader.isIntact(place.examined, mayBeEmpty: !hasLog) else { return }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: place.examined))
        defer { try? file.close() }
        var page = ArraySlice([UInt8](try file.read(upToCount: StoreFileHeader.pageSize) ?? Data()))
        // The log may have the first page where the file has it no more.
        page += repeatElement(0, count: StoreFileHeader.pageSize - page.count)
        StoreFileHeader.repair(&page)
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(page))
    }

    /// The last migration that the file has seen, told by its columns: its own list may be damaged as well.
    private static func version(of source: Database) throws -> String {
        func has(_ column: String, in table: String) -> Bool {
            (try? source.columns(in: table).contains { $0.name == column }) ?? false
        }
        let names = StoreSchema.migrator.migrations
        if has("sum", in: "request") || has("sum", in: "pending") { return names[3] }
        if has("latitude", in: "pending") { return names[2] }
        if has("id", in: "pending") { return names[1] }
        return has("body", in: "request") ? names[0] : names[3]
    }

    /// No revision is given twice, although its row is lost, and no transaction is missed a second time.
    private static func settleHeader(
        of target: Database,
        sequence: Int64?,
        mark: CommitMark.Reading?,
        _ report: inout NoticeStore.Damage
    ) throws {
        guard try target.tableExists("header") else {
            let sequence = sequence ?? 0
            try target.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'request'")
            try target.execute(
                sql: "INSERT INTO sqlite_sequence SELECT 'request', max(?, coalesce(max(revision), 0)) FROM request",
                arguments: [sequence]
            )
            return
        }
        let found = try StoreHeader.read(target)
        if let mark, mark.transactions > (found?.transactions ?? 0) {
            let missing = mark.transactions - (found?.transactions ?? 0)
            report.losses.append("Not to be read are the last \(missing) transactions that were acknowledged.")
        }
        var header = found ?? StoreHeader(transactions: 0, revision: 0, pending: 0)
        header.transactions = max(header.transactions, mark?.transactions ?? 0) + 1
        try header.counted(in: target).write(to: target)
    }
}
