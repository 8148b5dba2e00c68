import Belfry
import FoundationEssentials

/// The requests that a damaged file has lost, as far as the salvaged rows show.
enum LostRequests {
    private typealias Request = NoticeStore.UnreadableRequest

    private static let namedCount = 20

    /// A request that is not complete any more.
    private struct Lost {
        var request: Request
        /// The identifier by which an owner knows it: the base of its series, or its own.
        var ownedID: String?
    }

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
        let decoder = JSONDecoder()
        let withoutContent: [Lost] = try target.all("SELECT revision, id, traits \(rule)") { row in
            let traits = row.blob(2).flatMap { try? decoder.decode(RequestTraits.self, from: $0) }
            return Lost(
                request: Request(id: row.text(1), revision: row.integer(0) ?? 0, reason: "its content is lost"),
                ownedID: traits?.delivery.series ?? row.text(1)
            )
        }
        try target.execute("DELETE \(rule)")
        if !withoutContent.isEmpty {
            report.saved["pending", default: withoutContent.count] -= withoutContent.count
            report.losses.append("Lost with their content are the requests \(names(withoutContent)).")
        }
        var unused: [Lost] = []
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
        // Of a lost notice, the request has fired: its entry must not begin again.
        let lost = hasAllPending ? withoutContent : withoutContent + unused
        try invalidateEntries(of: Set(lost.compactMap(\.ownedID)), in: target)
        report.requests = (withoutContent + unused).map(\.request)
        return unused.compactMap(\.request.revision)
    }

    /// Removes the fingerprints of entries whose requests were lost, so that the next synchronization of their owners
    /// adds the requests again. The entries keep their other requests.
    private static func invalidateEntries(of ids: Set<String>, in target: SQLiteDatabase) throws {
        guard !ids.isEmpty else { return }
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let prefix = Data(StoreSchema.ownerPrefix.utf8)
        let rows = try target.all(
            "SELECT body FROM setting WHERE substr(key, 1, ?) = ?",
            [.integer(Int64(prefix.count)), .blob(prefix)]
        ) { row in row.blob(0).flatMap { try? decoder.decode(OwnerRow.self, from: $0) } }
        for var row in rows where row.entries.contains(where: { !ids.isDisjoint(with: $0.requestIDs) }) {
            for index in row.entries.indices where !ids.isDisjoint(with: row.entries[index].requestIDs) {
                // No entry has an empty one.
                row.entries[index].fingerprint = ""
            }
            try SummedTable.setting.insert(
                [.null, .blob(StoreSchema.ownerKey(row.owner)), .blob(try encoder.encode(row))],
                into: target
            )
        }
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
    private static func unusedContents(_ target: SQLiteDatabase, _ reason: String) throws -> [Lost] {
        let decoder = JSONDecoder()
        let deliveries = try target.all("SELECT body FROM delivery") { $0.blob(0) }
        guard let references = try? deliveries.map({ try decoder.decode(Reference.self, from: $0) }) else { return [] }
        let used = Set(references.flatMap { [$0.revision] + ($0.summary?.members.map(\.revision) ?? []) })
        let sql = "SELECT revision, body FROM request WHERE revision NOT IN (SELECT revision FROM pending)"
        return try target.all(sql) { row in
            guard let revision = row.integer(0), !used.contains(revision) else { return nil }
            let identity = row.blob(1).flatMap { try? decoder.decode(Identity.self, from: $0) }
            return Lost(
                request: Request(id: identity?.id, revision: revision, reason: reason),
                ownedID: identity?.series ?? identity?.id
            )
        }
    }

    private struct Identity: Decodable {
        var id: String
        var series: String?
    }

    private static func names(_ lost: [Lost]) -> String {
        let requests = lost.prefix(namedCount).map(\.request)
        let names = requests.map { $0.id.map { "'\($0)'" } ?? "of revision \($0.revision ?? 0)" }
        let more = lost.count > namedCount ? " and \(lost.count - namedCount) more" : ""
        return names.joined(separator: ", ") + more
    }
}
