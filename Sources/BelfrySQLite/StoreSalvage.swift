import Belfry
import FoundationEssentials
import Glibc

/// Salvages the readable data of a damaged file into a new one, and sets the damaged one aside.
///
/// The order of steps makes a crash at any instant harmless. The report is stored and the new file is complete before
/// the damaged one loses its name. ``finishEarlier(in:)`` removes an incomplete one. The damaged file is read from a
/// copy.
struct StoreSalvage {
    private static let logs = ["-wal", "-shm"]

    private let folder: StoreFolder
    private let evidence: LogEvidence
    private var report: NoticeStore.Damage

    static func salvage(
        _ folder: StoreFolder,
        because damage: FoundDamage,
        _ evidence: LogEvidence
    ) throws -> NoticeStore.Damage {
        let aside = asideName(in: folder)
        let report = NoticeStore.Damage(reason: damage.reason, setAside: aside)
        var salvage = StoreSalvage(folder: folder, evidence: evidence, report: report)
        try folder.createFile(folder.rescued)
        let target = try SQLiteDatabase(store: folder.rescued)
        defer { target.close() }
        try salvage.copyTables(into: target)
        // Closing does it too, and fails silently: what stays in the log would be lost when the file is renamed.
        try target.emptyLog()
        target.close()
        try StoreDamageLog(folder: folder.path).add(salvage.report)
        StoreFolder.synchronize(folder.path)
        try StoreFolder.rename(folder.database, to: aside)
        try replaceDamaged(in: folder, aside)
        return salvage.report
    }

    /// Finishes a salvage that a crash interrupted.
    static func finishEarlier(in folder: StoreFolder) throws(NoticeError) {
        remove(folder.examined)
        guard StoreFolder.exists(folder.rescued) else { return }
        if StoreFolder.exists(folder.database) {
            remove(folder.rescued)
        } else {
            // The report was stored before the damaged file got the name that it contains.
            let reported = StoreDamageLog(folder: folder.path).reports().compactMap(\.setAside)
            try replaceDamaged(in: folder, reported.last(where: StoreFolder.exists) ?? asideName(in: folder))
        }
    }

    /// Replaces the damaged file, which has already been renamed. Its log must not be mistaken for that of the new one.
    private static func replaceDamaged(in folder: StoreFolder, _ aside: String) throws(NoticeError) {
        for log in logs where StoreFolder.exists(folder.database + log) {
            try StoreFolder.rename(folder.database + log, to: aside + log)
        }
        try StoreFolder.rename(folder.rescued, to: folder.database)
        StoreFolder.synchronize(folder.path)
    }

    private static func remove(_ database: String) {
        for file in [""] + logs { unlink(database + file) }
    }

    /// Returns `store-damaged-2026-11-21T10-30-00Z.sqlite`, with a number if that exists.
    private static func asideName(in folder: StoreFolder) -> String {
        let date = Date().formatted(.iso8601).replacing(":", with: "-")
        let names = (1...).lazy.map { "\(folder.path)/store-damaged-\(date)\($0 == 1 ? "" : "-\($0)").sqlite" }
        return names.first { !StoreFolder.exists($0) } ?? "\(folder.path)/store-damaged.sqlite"
    }

    private mutating func copyTables(into target: SQLiteDatabase) throws {
        defer { Self.remove(folder.examined) }
        let source: SQLiteDatabase
        do { source = try examine() } catch {
            // A full disk, or too many open files, is no reason to give up what can be read another time.
            guard let damage = FoundDamage(opening: error) else { throw error }
            report.losses.append("Nothing of the file can be read: \(damage.reason)")
            return try StoreSchema.migrate(target)
        }
        defer { source.close() }
        let tables = Self.tables(of: source)
        let hasSums = tables.contains("header")
        if hasSums {
            try StoreSchema.migrate(target)
            // This row is removed: the damaged file has another one, or no valid one.
            try target.execute("DELETE FROM header")
        } else {
            try StoreMigration.createEarlierTables(tables, in: target)
        }
        var hasAllDeliveries = true
        for table in tables {
            let salvaged = try TableSalvage(table, source, target).run()
            report.saved[table] = salvaged.saved
            report.losses += salvaged.losses
            if table == SummedTable.delivery.name { hasAllDeliveries = salvaged.losses.isEmpty }
        }
        if !hasSums {
            try StoreSchema.migrate(target)
            try target.execute("DELETE FROM header")
        }
        let unused = try LostRequests.find(in: target, hasAllDeliveries: hasAllDeliveries, &report)
        try settleHeader(of: target, highest: try? StoreMigration.highestRevision(of: source))
        // After the header, which keeps their revisions from being assigned again.
        try target.transaction {
            for revision in unused { try target.run("DELETE FROM request WHERE revision = ?", [.integer(revision)]) }
        }
        report.saved["header"] = nil
    }

    /// Opens a copy of the damaged file, with its constant bytes restored, and with its whole log.
    private func examine() throws -> SQLiteDatabase {
        try copyFile()
        guard evidence.hasLog else { return try SQLiteDatabase(store: folder.examined) }
        let log = folder.database + "-wal"
        try FileManager.default.copyItem(atPath: log, toPath: folder.examined + "-wal")
        let source = try SQLiteDatabase(store: folder.examined)
        let held = try? StoreHeader.read(source)?.transactions
        guard evidence.hasUnreadTransactions(after: held ?? 0), let whole = WriteAheadLog(log)?.repaired() else {
            return source
        }
        // Closing moves the log into the file, so both are copied again.
        source.close()
        Self.remove(folder.examined)
        try copyFile()
        try whole.write(to: URL(filePath: folder.examined + "-wal"))
        return try SQLiteDatabase(store: folder.examined)
    }

    private func copyFile() throws {
        try FileManager.default.copyItem(atPath: folder.database, toPath: folder.examined)
        if !StoreFileHeader.isIntact(folder.examined, mayBeEmpty: !evidence.hasLog) {
            try StoreFileHeader.repair(folder.examined)
        }
    }

    /// Returns the tables of the file's version, found by its columns, because its own list may be damaged too.
    private static func tables(of source: SQLiteDatabase) -> [String] {
        func has(_ column: String, in table: String) -> Bool {
            (try? source.columns(of: table).contains { $0.name == column }) ?? false
        }
        let all = SummedTable.all.map(\.name)
        let first = ["request", "delivery", "response", "ledger", "setting"]
        if has("sum", in: "request") || has("sum", in: "pending") { return all }
        if has("latitude", in: "pending") { return first + ["pending", "place"] }
        if has("id", in: "pending") { return first + ["pending"] }
        return has("body", in: "request") ? first + ["progress"] : all
    }

    /// Writes a header that prevents reusing a lost row's revision, or missing the same transactions twice.
    private mutating func settleHeader(of target: SQLiteDatabase, highest: Int64?) throws {
        var header = try StoreHeader.read(target) ?? StoreHeader(transactions: 0, revision: highest ?? 0, pending: 0)
        let acknowledged = evidence.mark?.transactions ?? 0
        if acknowledged > header.transactions {
            report.losses.append(
                "Not to be read are the last \(acknowledged - header.transactions) transactions that were acknowledged."
            )
        }
        header.transactions = max(header.transactions, acknowledged) + 1
        try header.counted(in: target).write(to: target)
    }
}
