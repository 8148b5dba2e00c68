import Belfry
import FoundationEssentials

/// Reads the table `pending`, a million rows as fast as SQLite steps through them. Data that rows share (trigger texts,
/// traits) is decoded once.
extension StateReader {
    /// The properties of a location trigger apart from its region.
    struct LocationKey: Hashable {
        var shape: Int
        var dwell: Int64
    }

    /// A trigger that was decoded from its text.
    struct DecodedTrigger {
        var trigger: StoredTrigger
        /// The reason why the program can't read it.
        var reason: String?
        var kind: TriggerKind

        /// Returns the trigger with the region of a row. Texts that differ only in their regions are decoded once.
        func located(at region: CircularRegion?) -> StoredTrigger {
            guard let region, case .place(_, let shared) = trigger else { return trigger }
            return .place(region, shared)
        }
    }

    mutating func readPending() throws {
        let count = try database.first("SELECT count(*) FROM pending") { $0.integer(0) }
        state.pending.reserveCapacity(Int(count ?? 0))
        try database.forEach(SummedTable.pending.selection + " ORDER BY revision") { try read($0) }
    }

    /// Reads a row, whose columns are those of ``SummedTable/pending``.
    private mutating func read(_ row: SQLiteStatement) throws {
        let revision = row.integer(0) ?? 0
        guard SummedTable.pending.isIntact(row) else {
            addDamage("pending", revision)
            return
        }
        digest ^= row.integer(13) ?? 0
        guard let shape = row.integer(6) else {
            addUnreadable("request", revision, "an earlier version wrote it, and it could not be carried over")
            return
        }
        let id = row.text(1) ?? ""
        guard let trigger = try trigger(Int(clamping: shape), row, revision, id) else { return }
        state.pending.append(
            StoredState.Pending(
                id: id,
                revision: revision,
                progress: TriggerProgress(
                    anchor: row.integer(2) ?? 0,
                    fired: Int(row.integer(3) ?? 0),
                    lastDue: row.integer(4),
                    lastLocal: row.integer(5)
                ),
                trigger: trigger,
                traits: row.isNull(9) ? .usual : readTraits(row, of: revision)
            )
        )
    }

    /// Returns the trigger; nil, after a report, if the request can't be pending.
    private mutating func trigger(
        _ shape: Int,
        _ row: SQLiteStatement,
        _ revision: Int64,
        _ id: String
    ) throws -> StoredTrigger? {
        let number = row.integer(7) ?? 0
        switch shape {
        case TriggerForm.Shape.none.rawValue: return StoredTrigger.none
        case TriggerForm.Shape.date.rawValue:
            return .date(DateTrigger(date: Date(timeIntervalSinceReferenceDate: row.real(7) ?? 0)))
        case TriggerForm.Shape.interval.rawValue..<TriggerForm.Shape.text.rawValue:
            let count = row.integer(8).map { Int($0) }
            return .interval(TriggerForm.interval(shape: shape, microseconds: number, count: count))
        case TriggerForm.regionShapes:
            guard let region = region(row) else {
                addUnreadable("pending", revision, "it waits for a region, and the region is missing")
                return nil
            }
            return location(region, LocationKey(shape: shape, dwell: number))
        default:
            guard let decoded = try decode(number, of: revision) else {
                withoutContent.append(revision)
                return nil
            }
            if let reason = decoded.reason {
                state.dormant.append(
                    StoredState.Dormant(requestID: id, revision: revision, kind: decoded.kind, reason: reason)
                )
            }
            return decoded.located(at: region(row))
        }
    }

    private mutating func location(_ region: CircularRegion, _ key: LocationKey) -> StoredTrigger {
        if let known = locations[key] { return .place(region, known) }
        let trigger = TriggerForm.location(shape: key.shape, microseconds: key.dwell)
        let shared = Shared<any NoticeTrigger>(trigger)
        locations[key] = shared
        return .place(region, shared)
    }

    /// The region of a row; nil if it has none.
    private func region(_ row: SQLiteStatement) -> CircularRegion? {
        guard let latitude = row.real(10), let longitude = row.real(11), let radius = row.real(12) else { return nil }
        return CircularRegion(latitude: latitude, longitude: longitude, radius: radius)
    }

    /// Returns the trigger for a mark, decoded from the first request that has it. Nil if that request's own text is
    /// missing or damaged.
    private mutating func decode(_ mark: Int64, of revision: Int64) throws -> DecodedTrigger? {
        if let known = triggers[mark] { return known }
        let row: RequestRow
        do {
            guard let found = try RequestRow.read(revision, of: database) else { return nil }
            row = found
        } catch is FoundDamage { return nil }
        let kind = row.kind ?? Data()
        let (trigger, reason) = reader.readTrigger(kind, row.payload)
        let decoded = DecodedTrigger(
            trigger: StoredTrigger(trigger),
            reason: reason,
            kind: TriggerKind(rawValue: String(decoding: kind, as: UTF8.self))
        )
        triggers[mark] = decoded
        return decoded
    }

    /// Reads the traits. Unreadable ones are replaced by the usual ones, so that the request fires nevertheless.
    private mutating func readTraits(_ row: SQLiteStatement, of revision: Int64) -> RequestTraits {
        let data = row.blob(9) ?? Data()
        if let known = traits[data] { return known }
        do {
            let read = try JSONDecoder().decode(RequestTraits.self, from: data)
            // Traits that few requests share are not worth caching.
            if traits.count < 10_000 { traits[data] = read }
            return read
        } catch {
            addUnreadable("pending", revision, "\(error)")
            return .usual
        }
    }
}
