import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySQLite

extension TemporaryFolder {
    /// The file and its log as they lie on the disk, in a folder of their own: what a crash would leave.
    func copyStore(_ name: String, to other: String) throws {
        try FileManager.default.createDirectory(atPath: path(other), withIntermediateDirectories: true)
        for file in ["store.sqlite", "store.sqlite-wal"] where StoreFolder.exists(path("\(name)/\(file)")) {
            try FileManager.default.copyItem(atPath: path("\(name)/\(file)"), toPath: path("\(other)/\(file)"))
        }
    }
}

func makeFile(_ path: String, _ contents: Data) throws {
    try contents.write(to: URL(fileURLWithPath: path))
}

extension SQLiteDatabase {
    /// Gives rows that a test has changed the sums that a program would have written with them.
    func renewSums() throws {
        for table in SummedTable.all where table.name != "header" {
            try forEach(table.selection) { row in
                let values = table.columns.indices.map(row.value)
                for sum in table.sums {
                    try run(
                        "UPDATE \(table.name) SET \(sum.name) = ? WHERE rowid = ?",
                        [.integer(sum.value(of: values)), values[0]]
                    )
                }
            }
        }
        try StoreHeader.read(self)?.counted(in: self).write(to: self)
    }
}

extension SQLiteStoreOptions {
    /// A history that is never trimmed.
    static var unlimited: SQLiteStoreOptions { SQLiteStoreOptions(history: HistoryLimit(count: nil, age: nil)) }
}

extension NoticeRequest {
    static func sample(_ id: String, body: String = "Body") -> NoticeRequest {
        NoticeRequest(
            id: id,
            title: "Notice \(id)",
            body: body,
            trigger: .date(Date(timeIntervalSince1970: 1_800_000_000))
        )
    }
}

extension StoreChange {
    static func put(_ id: String, _ revision: Int64, body: String = "Body") -> StoreChange {
        .putRequest(.sample(id, body: body), revision: revision, TriggerProgress(anchor: revision))
    }

    static func line(_ id: String, _ seconds: Double) -> StoreChange {
        .appendHistory(HistoryEntry(requestID: id, date: Date(timeIntervalSince1970: seconds), outcome: .delivered))
    }
}
