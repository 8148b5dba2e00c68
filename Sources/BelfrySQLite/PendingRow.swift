import Belfry
import FoundationEssentials

/// A row of the table `pending`: the data that decides when a request fires, without its content.
struct PendingRow {
    /// The values in the order of the table's columns.
    let values: [SQLiteValue]

    init(
        _ request: NoticeRequest,
        _ row: RequestRow,
        _ progress: TriggerProgress,
        _ encoder: JSONEncoder
    ) throws {
        let form = row.form(of: request.trigger)
        let traits = RequestTraits.of(request)
        values =
            [.integer(row.revision), .blob(Data(request.id.utf8))] + Self.values(of: progress) + [
                .integer(Int64(form.shape)),
                form.seconds.map(SQLiteValue.real) ?? .integer(form.number),
                SQLiteValue(form.count.map { Int64($0) }),
                SQLiteValue(traits === RequestTraits.usual ? nil : try encoder.encode(traits)),
                SQLiteValue(form.region?.latitude),
                SQLiteValue(form.region?.longitude),
                SQLiteValue(form.region?.radius),
            ]
    }

    private static func values(of progress: TriggerProgress) -> [SQLiteValue] {
        [
            .integer(progress.anchor), .integer(Int64(progress.fired)), SQLiteValue(progress.lastDue),
            SQLiteValue(progress.lastLocal),
        ]
    }

    static func update(_ revision: Int64, _ progress: TriggerProgress, in database: SQLiteDatabase) throws {
        let values = values(of: progress)
        // The checksum of the progress doesn't include the identifier.
        let sum = SummedTable.pending.sums[1].value(of: [.integer(revision), .null] + values)
        try database.run(
            "UPDATE pending SET anchor = ?, fired = ?, lastDue = ?, lastLocal = ?, progressSum = ? WHERE revision = ?",
            values + [.integer(sum), .integer(revision)]
        )
    }
}
