import Belfry
import Foundation
import GRDB
internal import GRDBSQLite

/// Reads the table `pending`, a million rows as fast as SQLite steps through them: by SQLite's own functions, and with what
/// rows have in common (trigger texts, traits) understood once.
struct PendingScan {
    private let database: Database
    private let reader: RequestReader
    private var triggers: [Int64: Understood] = [:]
    private var traits: [Data: RequestTraits] = [:]
    private var places: [Place: StoredTrigger.SharedTrigger] = [:]

    var pending: [StoredState.Pending] = []
    var dormant: [StoredState.Dormant] = []
    var unreadable: [StoreOpeningReport.Unreadable] = []
    /// The revisions of rows that don't match their checksums; they are not in ``pending``.
    var damaged: [Int64] = []
    /// Those whose trigger stands with their content, which is missing or damaged.
    var withoutContent: [Int64] = []
    /// ``StoreHeader/pending`` of what was read.
    var digest: Int64 = 0

    /// What place triggers ask for apart from their regions.
    private struct Place: Hashable {
        var shape: Int
        var dwell: Int64
    }

    /// A trigger's text, understood.
    private struct Understood {
        var trigger: StoredTrigger
        /// Why the program can't read it.
        var reason: String?
        var kind: TriggerKind

        /// Texts that differ in their regions alone are understood as one; the region stands in the row.
        func located(at region: CircularRegion?) -> StoredTrigger {
            guard let region, case .place(_, let shared) = trigger else { return trigger }
            return .place(region, shared)
        }
    }

    init(_ database: Database, _ triggers: TriggerRegistry) {
        self.database = database
        reader = RequestReader(triggers: triggers)
    }

    mutating func run() throws {
        pending.reserveCapacity(try atMost())
        try database.forEachRow(
            """
            SELECT revision, id, anchor, fired, lastDue, lastLocal, shape, value, times, traits,
                latitude, longitude, radius, sum, progressSum
            FROM pending ORDER BY revision
            """
        ) { try takeIn($0) }
    }

    /// A bound on the number of rows that is found without reading them: by their numbers, and by the size of the file.
    private func atMost() throws -> Int {
        let first = try Int64.fetchOne(database, sql: "SELECT min(revision) FROM pending") ?? 0
        let last = try Int64.fetchOne(database, sql: "SELECT max(revision) FROM pending") ?? -1
        let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let (span, overflow) = last.subtractingReportingOverflow(first - 1)
        return Int(clamping: min(overflow ? .max : span, pages * 64))
    }

    private mutating func takeIn(_ row: OpaquePointer) throws {
        let revision = sqlite3_column_int64(row, 0)
        guard isIntact(row) else {
            damaged.append(revision)
            return
        }
        digest ^= sqlite3_column_int64(row, 13)
        guard sqlite3_column_type(row, 6) != SQLITE_NULL else {
            unreadable.append(
                StoreOpeningReport.Unreadable(
                    table: "request",
                    row: revision,
                    reason: "an earlier version wrote it, and it could not be carried over"
                )
            )
            return
        }
        let id = Self.text(row, 1)
        let shape = Int(sqlite3_column_int64(row, 6))
        let progress = TriggerProgress(
            anchor: sqlite3_column_int64(row, 2),
            fired: Int(sqlite3_column_int64(row, 3)),
            lastDue: Self.number(row, 4),
            lastLocal: Self.number(row, 5)
        )
        let trigger: StoredTrigger
        switch shape {
        case TriggerForm.Shape.none.rawValue: trigger = .none
        case TriggerForm.Shape.date.rawValue:
            let date = Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row, 7))
            trigger = .date(DateTrigger(date: date))
        case TriggerForm.Shape.interval.rawValue..<TriggerForm.Shape.text.rawValue:
            trigger = .interval(
                TriggerForm.interval(
                    shape: shape,
                    microseconds: sqlite3_column_int64(row, 7),
                    times: Self.number(row, 8).map { Int($0) }
                )
            )
        case TriggerForm.placeShapes:
            guard let place = place(shape, row) else {
                let reason = "it waits for a place, and the region is missing"
                unreadable.append(StoreOpeningReport.Unreadable(table: "pending", row: revision, reason: reason))
                return
            }
            trigger = place
        default:
            guard let understood = try understand(sqlite3_column_int64(row, 7), of: revision) else {
                withoutContent.append(revision)
                return
            }
            if let reason = understood.reason {
                dormant.append(
                    StoredState.Dormant(requestID: id, revision: revision, kind: understood.kind, reason: reason)
                )
            }
            trigger = understood.located(at: Self.region(row))
        }
        pending.append(
            StoredState.Pending(
                id: id,
                revision: revision,
                progress: progress,
                trigger: trigger,
                traits: sqlite3_column_type(row, 9) == SQLITE_NULL ? .usual : readTraits(row, of: revision)
            )
        )
    }

    /// The columns that ``SummedTable/pending`` names, by their numbers in the query.
    private func isIntact(_ row: OpaquePointer) -> Bool {
        var sum = Self.sum
        for column in [0, 1] as [Int32] { sum.add(row, column) }
        for column in 6...12 as ClosedRange<Int32> { sum.add(row, column) }
        var progressSum = Self.progressSum
        progressSum.add(row, 0)
        for column in 2...5 as ClosedRange<Int32> { progressSum.add(row, column) }
        return sum.value == sqlite3_column_int64(row, 13) && progressSum.value == sqlite3_column_int64(row, 14)
    }

    private static let sum = RowSum(SummedTable.pending.label(of: SummedTable.pending.sums[0]))
    private static let progressSum = RowSum(SummedTable.pending.label(of: SummedTable.pending.sums[1]))

    private mutating func place(_ shape: Int, _ row: OpaquePointer) -> StoredTrigger? {
        guard let region = Self.region(row) else { return nil }
        let key = Place(shape: shape, dwell: sqlite3_column_int64(row, 7))
        if let known = places[key] { return .place(region, known) }
        let shared = StoredTrigger.SharedTrigger(TriggerForm.place(shape: shape, microseconds: key.dwell))
        places[key] = shared
        return .place(region, shared)
    }

    /// Nil where the row has none.
    private static func region(_ row: OpaquePointer) -> CircularRegion? {
        guard sqlite3_column_type(row, 10) != SQLITE_NULL else { return nil }
        return CircularRegion(
            latitude: sqlite3_column_double(row, 10),
            longitude: sqlite3_column_double(row, 11),
            radius: sqlite3_column_double(row, 12)
        )
    }

    /// The trigger behind a mark: read with the first request that has it.
    /// Nil where that request's own text is missing or damaged.
    private mutating func understand(_ mark: Int64, of revision: Int64) throws -> Understood? {
        if let known = triggers[mark] { return known }
        let row: RequestRow
        do {
            guard let found = try RequestRow.read(revision, of: database) else { return nil }
            row = found
        } catch is FoundDamage { return nil }
        let name = TriggerKind(rawValue: String(decoding: row.kind ?? Data(), as: UTF8.self))
        let bare = RequestRow(
            revision: revision,
            body: RequestReader.bareBody,
            kind: row.kind ?? Data(),
            payload: row.payload
        )
        let understood: Understood
        switch reader.read(bare) {
        case .request(let request):
            understood = Understood(trigger: StoredTrigger(request.trigger), reason: nil, kind: name)
        case .dormant(let request, let kind, let reason):
            understood = Understood(trigger: StoredTrigger(request.trigger), reason: reason, kind: kind)
        case .unreadable(let reason):
            let trigger = TriggerRegistry.UnknownTrigger(storedKind: name, payload: .null)
            understood = Understood(trigger: StoredTrigger(trigger), reason: reason, kind: name)
        }
        triggers[mark] = understood
        return understood
    }

    /// Traits that can't be read are the usual ones: the request fires all the same.
    private mutating func readTraits(_ row: OpaquePointer, of revision: Int64) -> RequestTraits {
        guard let bytes = sqlite3_column_blob(row, 9) else { return .usual }
        let data = Data(bytes: bytes, count: Int(sqlite3_column_bytes(row, 9)))
        if let known = traits[data] { return known }
        do {
            let read = try JSONDecoder().decode(RequestTraits.self, from: data)
            // What hardly two requests share is not worth remembering.
            if traits.count < 10_000 { traits[data] = read }
            return read
        } catch {
            unreadable.append(StoreOpeningReport.Unreadable(table: "pending", row: revision, reason: "\(error)"))
            return .usual
        }
    }

    private static func number(_ row: OpaquePointer, _ column: Int32) -> Int64? {
        sqlite3_column_type(row, column) == SQLITE_NULL ? nil : sqlite3_column_int64(row, column)
    }

    private static func text(_ row: OpaquePointer, _ column: Int32) -> String {
        guard let bytes = sqlite3_column_blob(row, column) else { return "" }
        let count = Int(sqlite3_column_bytes(row, column))
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
