import Belfry
import FoundationEssentials

/// The requests that a damaged file has lost, as far as the salvaged rows show.
enum LostRequests {
    private typealias Request = NoticeStore.UnreadableRequest

    private static let namedCount = 20

    /// Adds the lost requests to the report. A pending request without content has nothing to show, and is removed.
    ///
    /// Returns the revisions of contents that are of no use any more, and would be reported again at the next damage.
    ///
    /// - Parameter hasAllDeliveries: Whether every delivery was saved. Otherwise contents may be those of lost notices.
    static func find(
        in target: SQLiteDatabase,
        hasAllDeliveries: Bool,
        _ report: inout NoticeStore.Damage
    ) throws -> [Int64] {
        // Before requests without content are removed.
        let hasAllPending = try isComplete(target)
        let rule = "FROM pending WHERE revision NOT IN (SELECT revision FROM request)"
        let withoutContent = try target.all("SELECT revision, id \(rule)") { row in
            Request(id: row.text(1), revision: row.integer(0) ?? 0, reason: "its content is lost")
        }
        try target.execute("DELETE \(rule)")
        if !withoutContent.isEmpty {
            report.saved["pending", default: withoutContent.count] -= withoutContent.count
            report.losses.append("Lost with their content are the requests \(names(withoutContent)).")
        }
        var unused: [Request] = []
        if !hasAllPending {
            unused = try unusedContents(target, "when it is due is lost")
            if !unused.isEmpty {
                report.losses.append("Lost is when these requests are due: \(names(unused)). Add them anew.")
            }
        } else if !hasAllDeliveries {
            unused = try unusedContents(target, "its notice is lost")
            if !unused.isEmpty {
                report.losses.append("Lost are notices that waited or were on the screen: \(names(unused)).")
            }
        }
        report.requests = withoutContent + unused
        return unused.compactMap(\.revision)
    }

    /// Whether every pending request was saved.
    private static func isComplete(_ target: SQLiteDatabase) throws -> Bool {
        guard let header = try StoreHeader.read(target) else { return false }
        return try header.counted(in: target).pending == header.pending
    }

    /// A delivery in storage, as far as it refers to contents. The rest may be unreadable for this version.
    private struct Reference: Decodable {
        var revision: Int64
        var summary: SummaryMark?
    }

    /// Returns the contents to which neither a pending request nor a delivery refers. Empty if a delivery can't be
    /// read: it is kept, and so must be its content.
    private static func unusedContents(_ target: SQLiteDatabase, _ reason: String) throws -> [Request] {
        let decoder = JSONDecoder()
        let deliveries = try target.all("SELECT body FROM delivery") { $0.blob(0) }
        guard let references = try? deliveries.map({ try decoder.decode(Reference.self, from: $0) }) else { return [] }
        let used = Set(references.flatMap { [$0.revision] + ($0.summary?.members.map(\.revision) ?? []) })
        let sql = "SELECT revision, body FROM request WHERE revision NOT IN (SELECT revision FROM pending)"
        return try target.all(sql) { row in
            guard let revision = row.integer(0), !used.contains(revision) else { return nil }
            let identity = row.blob(1).flatMap { try? decoder.decode(Identity.self, from: $0) }
            return Request(id: identity?.id, revision: revision, reason: reason)
        }
    }

    private struct Identity: Decodable { var id: String }

    private static func names(_ requests: [Request]) -> String {
        let names = requests.prefix(namedCount).map { $0.id.map { "'\($0)'" } ?? "of revision \($0.revision ?? 0)" }
        let more = requests.count > namedCount ? " and \(requests.count - namedCount) more" : ""
        return names.joined(separator: ", ") + more
    }
}
