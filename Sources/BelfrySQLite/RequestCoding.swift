import Belfry
import Dispatch
import FoundationEssentials
import Synchronization

/// A request in its row: the trigger is separate from the rest, so that a trigger of an unknown kind is never
/// rewritten.
struct RequestRow: Sendable {
    var revision: Int64
    var body: Data
    var kind: Data?
    var payload: Data?
}

extension RequestRow {
    /// Creates a row. The caller passes an encoder, which serves many rows.
    init(_ request: NoticeRequest, revision: Int64, _ encoder: JSONEncoder) throws {
        var rest = request
        rest.trigger = nil
        self.init(revision: revision, body: try encoder.encode(rest))
        switch request.trigger {
        case nil: break
        case let unknown as TriggerRegistry.UnknownTrigger:
            kind = Data(unknown.storedKind.rawValue.utf8)
            payload = try encoder.encode(unknown.payload)
        case .some(let trigger):
            kind = Data(type(of: trigger).kind.rawValue.utf8)
            payload = try encoder.encode(trigger)
        }
    }

    func insert(into database: SQLiteDatabase) throws {
        try SummedTable.request.insert(
            [.integer(revision), .blob(body), SQLiteValue(kind), SQLiteValue(payload)],
            into: database
        )
    }

    /// Returns the row; nil if there is none. Throws ``FoundDamage`` if it doesn't match its checksum, or if its page
    /// is damaged.
    static func read(_ revision: Int64, of database: SQLiteDatabase) throws -> RequestRow? {
        let sql = SummedTable.request.selection + " WHERE revision = ?"
        do {
            return try database.first(sql, [.integer(revision)]) { row in
                guard SummedTable.request.isIntact(row), let body = row.blob(1) else {
                    throw FoundDamage("it does not match its checksum")
                }
                return RequestRow(revision: revision, body: body, kind: row.blob(2), payload: row.blob(3))
            }
        } catch let error as SQLiteError where error.isDamage { throw FoundDamage(error.message) }
    }
}

/// Decodes requests from their rows.
struct RequestReader: Sendable {
    let triggers: TriggerRegistry
    /// The folder of the store's attachments; nil if they are not needed.
    var attachments: String?

    /// Decodes many rows on all cores, keeping their order; nil for an unreadable one.
    func read(_ rows: [RequestRow]) -> [NoticeRequest?] {
        let requests = Mutex([NoticeRequest?](repeating: nil, count: rows.count))
        DispatchQueue.concurrentPerform(iterations: rows.count) { index in
            let request = try? read(rows[index])
            requests.withLock { $0[index] = request }
        }
        return requests.withLock { $0 }
    }

    /// Throws the decoder's error if the request can't be read. A trigger that can't be read makes it dormant.
    func read(_ row: RequestRow) throws -> NoticeRequest {
        var request = try JSONDecoder().decode(NoticeRequest.self, from: row.body)
        if let kind = row.kind { request.trigger = readTrigger(kind, row.payload).trigger }
        if let attachments, !request.content.attachments.isEmpty {
            AttachmentFolder.locate(&request.content.attachments, of: row.revision, in: attachments)
        }
        return request
    }

    /// Decodes a trigger. One that this program can't decode becomes an ``TriggerRegistry/UnknownTrigger``, and the
    /// reason is returned: a known kind in an unknown version is dormant, like an unknown kind.
    func readTrigger(_ kind: Data, _ payload: Data?) -> (trigger: any NoticeTrigger, reason: String?) {
        let kind = TriggerKind(rawValue: String(decoding: kind, as: UTF8.self))
        let payload = payload ?? Data("null".utf8)
        let decoder = JSONDecoder()
        let reason: String
        do {
            if let type = triggers.type(of: kind) { return (try decoder.decode(type, from: payload), nil) }
            reason = "this program has not registered its kind"
        } catch { reason = "its payload can't be read: \(error)" }
        let value = try? decoder.decode(JSONValue.self, from: payload)
        return (TriggerRegistry.UnknownTrigger(storedKind: kind, payload: value ?? .null), reason)
    }
}
