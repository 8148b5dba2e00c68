import Belfry
import Foundation
import GRDB

/// Which requests a damaged file has lost, as far as what was saved tells.
enum LostRequests {
    private static let named = 20

    /// Adds them to the report. What is pending without content has nothing to show: it is no longer pending.
    static func find(in target: Database, _ report: inout NoticeStore.Damage) throws {
        guard try target.tableExists("pending") else { return }
        let rule = "FROM pending WHERE revision NOT IN (SELECT revision FROM request)"
        let withoutContent = try rows("SELECT revision, id \(rule)", target) { String(decoding: $0, as: UTF8.self) }
        try target.execute(sql: "DELETE \(rule)")
        if !withoutContent.isEmpty {
            report.saved["pending", default: withoutContent.count] -= withoutContent.count
            report.losses.append("Lost with their content are the requests \(names(withoutContent)).")
        }
        let withoutTrigger = try isComplete(target) ? [] : contentsOfNobody(target)
        if !withoutTrigger.isEmpty {
            report.losses.append("Lost is when these requests are due: \(names(withoutTrigger)). Add them anew.")
        }
        report.requests =
            withoutContent.map {
                NoticeStore.UnreadableRequest(id: $0.id, revision: $0.revision, reason: "its content is lost")
            }
            + withoutTrigger.map {
                NoticeStore.UnreadableRequest(id: $0.id, revision: $0.revision, reason: "when it is due is lost")
            }
    }

    private typealias Found = (revision: Int64, id: String?)

    /// Whether every pending request was saved that there was.
    private static func isComplete(_ target: Database) throws -> Bool {
        guard try target.tableExists("header"), let header = try StoreHeader.read(target)
        else {
            return false
        }
        return try header.counted(in: target).pending == header.pending
    }

    /// The contents to which neither a pending request nor a delivery refers.
    private static func contentsOfNobody(_ target: Database) throws -> [Found] {
        let decoder = JSONDecoder()
        let deliveries = try Data.fetchAll(target, sql: "SELECT body FROM delivery").compactMap {
            try? decoder.decode(DeliveryRecord.self, from: $0)
        }
        let used = Set(deliveries.flatMap { [$0.revision] + ($0.summary?.members.map(\.revision) ?? []) })
        let sql = "SELECT revision, body FROM request WHERE revision NOT IN (SELECT revision FROM pending)"
        return try rows(sql, target) { (try? decoder.decode(Identity.self, from: $0))?.id }
            .filter { !used.contains($0.revision) }
    }

    private struct Identity: Decodable { var id: String }

    private static func rows(_ sql: String, _ target: Database, id: (Data) -> String?) throws -> [Found] {
        try Row.fetchAll(target, sql: sql).map { row in
            (try row.decode(Int64.self, atIndex: 0), try row.decode(Data?.self, atIndex: 1).flatMap(id))
        }
    }

    private static func names(_ requests: [Found]) -> String {
        let names = requests.prefix(named).map { $0.id.map { "'\($0)'" } ?? "of revision \($0.revision)" }
        let more = requests.count > named ? " and \(requests.count - named) more" : ""
        return names.joined(separator: ", ") + more
    }
}
