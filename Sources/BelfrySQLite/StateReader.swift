import Belfry
import FoundationEssentials

/// Reads the state of a store when it is opened: one pass over each table except the contents and the history.
///
/// Unreadable rows are kept and reported. Damaged rows are left out, and reported with the state.
struct StateReader {
    let database: SQLiteDatabase
    let reader: RequestReader
    var state = StoredState()
    private(set) var unreadable: [StoreOpeningReport.Unreadable] = []
    /// Descriptions of the damage.
    private var damaged: [String] = []
    private let decoder = JSONDecoder()

    /// The value of ``StoreHeader/pending`` for the rows that were read.
    var digest: Int64 = 0
    /// The revisions whose trigger is stored with their content, which is missing or damaged.
    var withoutContent: [Int64] = []
    /// Decoded texts by their marks.
    var triggers: [Int64: DecodedTrigger] = [:]
    var traits: [Data: RequestTraits] = [:]
    var locations: [LocationKey: Shared<any NoticeTrigger>] = [:]

    init(_ database: SQLiteDatabase, _ triggers: TriggerRegistry) {
        self.database = database
        reader = RequestReader(triggers: triggers)
    }

    var damage: FoundDamage? {
        damaged.isEmpty ? nil : FoundDamage(damaged.prefix(3).joined(separator: "; "))
    }

    mutating func run() throws {
        try readPending()
        let hasAllPending = damaged.isEmpty
        for revision in withoutContent { addDamage("request", revision) }
        state.deliveries = try readAll(DeliveryRecord.self, .delivery)
            .sorted { ($0.dueAt.wall, $0.id) < ($1.dueAt.wall, $1.id) }
        // Responses of the same instant stay in the order of arrival (sorting is stable).
        state.responses = try readAll(NoticeResponse.self, .response).sorted { $0.date < $1.date }
        state.categories = try read([NoticeCategory].self, .categories) ?? []
        state.authorization = try read(AuthorizationStatus.self, .authorization)
        state.clockMapping = try read(ClockMapping.self, .clockMapping)
        state.quietHours = try read(QuietHours.self, .quietHours)
        state.placeMarks = try read(RegionMarks.self, .placeMarks) ?? RegionMarks()
        for row in try readAll(OwnerRow.self, prefix: StoreSchema.ownerPrefix) { state.owners[row.owner] = row.entries }
        for row in try readAll(FeedRow.self, prefix: StoreSchema.feedPrefix) { state.feeds[row.name] = row.record }
        state.places = try readRegions()
        if let header = try StoreHeader.read(database) {
            if header.pending != digest, hasAllPending { damaged.append("pending requests are missing") }
            state.nextRevision = header.revision
        } else {
            addDamage("header", 1)
        }
        // Deliveries may outlive content that a damaged file has lost.
        let highest = max(
            state.nextRevision,
            state.pending.last?.revision ?? 0,
            state.deliveries.map(\.revision).max() ?? 0
        )
        state.nextRevision = max(1, highest == .max ? .max : highest + 1)
    }

    mutating func addDamage(_ table: String, _ row: Int64) {
        damaged.append("row \(row) of the table '\(table)' does not match its checksum")
    }

    mutating func addUnreadable(_ table: String, _ row: Int64, _ reason: String) {
        unreadable.append(StoreOpeningReport.Unreadable(table: table, row: row, reason: reason))
    }

    private mutating func readAll<Value: Decodable>(
        _ type: Value.Type,
        _ table: SummedTable,
        _ rule: String = "",
        _ values: [SQLiteValue] = []
    ) throws -> [Value] {
        try database.all("\(table.selection) \(rule) ORDER BY serial", values) { row in
            let serial = row.integer(0) ?? 0
            guard table.isIntact(row), let body = row.blob(2) else {
                addDamage(table.name, serial)
                return nil
            }
            do { return try decoder.decode(type, from: body) } catch {
                addUnreadable(table.name, serial, "\(error)")
                return nil
            }
        }
    }

    private mutating func readAll<Value: Decodable>(_ type: Value.Type, prefix: String) throws -> [Value] {
        let prefix = Data(prefix.utf8)
        return try readAll(
            type,
            .setting,
            "WHERE substr(key, 1, ?) = ?",
            [.integer(Int64(prefix.count)), .blob(prefix)]
        )
    }

    private mutating func read<Value: Decodable>(_ type: Value.Type, _ setting: StoreSchema.Setting) throws -> Value? {
        try readAll(type, .setting, "WHERE key = ?", [.blob(setting.key)]).first
    }

    /// Reads the regions of pending requests only: a damaged file may have lost a request.
    private mutating func readRegions() throws -> [Int64: RegionProgress] {
        var regions: [Int64: RegionProgress] = [:]
        let rule = "JOIN pending ON pending.revision = place.revision"
        try database.forEach("\(SummedTable.region.selection) \(rule)") { row in
            guard SummedTable.region.isIntact(row), let revision = row.integer(0), let inside = row.integer(1) else {
                return addDamage("place", row.integer(0) ?? 0)
            }
            let since = row.integer(2).flatMap { wall in row.integer(3).map { TriggerInstant(wall: wall, boot: $0) } }
            regions[revision] = RegionProgress(isInside: inside != 0, since: since)
        }
        return regions
    }
}
