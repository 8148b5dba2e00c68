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

    /// Returns the row; nil if there is none. Throws ``FoundDamage`` if it doesn't match its checksum.
    static func read(_ revision: Int64, of database: SQLiteDatabase) throws -> RequestRow? {
        let sql = SummedTable.request.selection + " WHERE revision = ?"
        return try database.first(sql, [.integer(revision)]) { row in
            guard SummedTable.request.isIntact(row), let body = row.blob(1) else {
                throw FoundDamage("it does not match its checksum")
            }
            return RequestRow(revision: revision, body: body, kind: row.blob(2), payload: row.blob(3))
        }
    }
}

/// Decodes requests from their rows.
struct RequestReader: Sendable {
    enum Reading: Sendable {
        case request(NoticeRequest)
        /// The trigger can't be read, for the given reason.
        case dormant(NoticeRequest, TriggerKind, reason: String)
        case unreadable(reason: String)
    }

    let triggers: TriggerRegistry

    /// The minimal JSON of a request, for decoding a trigger alone.
    static let bareBody = Data(#"{"id":"","content":{"title":""}}"#.utf8)

    private func decoder(_ triggers: TriggerRegistry) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[.triggerRegistry] = triggers
        return decoder
    }

    /// Decodes many rows on all cores, keeping their order. A decoder's setup costs more than a small request.
    func read(_ rows: [RequestRow]) -> [Reading] {
        let chunk = 256
        let chunks = (rows.count + chunk - 1) / chunk
        let readings = Mutex([[Reading]](repeating: [], count: chunks))
        DispatchQueue.concurrentPerform(iterations: chunks) { number in
            let part = readTogether(rows[number * chunk..<min(rows.count, (number + 1) * chunk)])
            readings.withLock { $0[number] = part }
        }
        return readings.withLock { $0.flatMap(\.self) }
    }

    private func readTogether(_ rows: ArraySlice<RequestRow>) -> [Reading] {
        var text = Data("[".utf8)
        for row in rows {
            if text.count > 1 { text.append(0x2C) }
            append(row, to: &text)
        }
        text.append(0x5D)
        // If one bad row makes the array unreadable, each row is decoded separately.
        guard let requests = try? decoder(triggers).decode([NoticeRequest].self, from: text),
            requests.count == rows.count
        else { return rows.map(read) }
        return requests.map(reading)
    }

    func read(_ row: RequestRow) -> Reading {
        var text = Data()
        append(row, to: &text)
        do { return reading(of: try decoder(triggers).decode(NoticeRequest.self, from: text)) } catch {
            guard let kind = row.kind else { return .unreadable(reason: "\(error)") }
            // A known kind in an unknown version is dormant, like an unknown kind.
            for payload in [row.payload, nil] {
                var text = Data()
                append(RequestRow(revision: row.revision, body: row.body, kind: kind, payload: payload), to: &text)
                if let request = try? decoder(TriggerRegistry()).decode(NoticeRequest.self, from: text) {
                    let name = TriggerKind(rawValue: String(decoding: kind, as: UTF8.self))
                    return .dormant(request, name, reason: "its payload can't be read: \(error)")
                }
            }
            return .unreadable(reason: "\(error)")
        }
    }

    private func reading(of request: NoticeRequest) -> Reading {
        guard let unknown = request.trigger as? TriggerRegistry.UnknownTrigger else { return .request(request) }
        return .dormant(request, unknown.storedKind, reason: "this program has not registered its kind")
    }

    /// Appends a row as JSON, with the trigger where ``NoticeRequest`` has it: before the last brace.
    private func append(_ row: RequestRow, to text: inout Data) {
        guard let kind = row.kind, let end = row.body.lastIndex(of: 0x7D) else {
            text.append(row.body)
            return
        }
        text.append(row.body[..<end])
        text.append(contentsOf: #","trigger":{"kind":"#.utf8)
        if kind.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
            text.append(0x22)
            text.append(kind)
            text.append(0x22)
        } else {
            text.append((try? JSONEncoder().encode(String(decoding: kind, as: UTF8.self))) ?? Data(#""""#.utf8))
        }
        text.append(contentsOf: #","value":"#.utf8)
        text.append(row.payload ?? Data("null".utf8))
        text.append(contentsOf: "}}".utf8)
    }
}
