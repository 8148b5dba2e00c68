import Belfry
import Foundation
import GRDB

/// A row of the table `pending`: what decides when a request fires, and nothing of what it shows.
struct PendingRow {
    static let insertion = """
        INSERT INTO pending (
            revision, id, anchor, fired, lastDue, lastLocal, shape, value, times, traits, latitude, longitude, radius,
            sum, progressSum
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let update = """
        UPDATE pending SET anchor = ?, fired = ?, lastDue = ?, lastLocal = ?, progressSum = ? WHERE revision = ?
        """

    /// In the order of ``insertion``, without the sums; the last three are of the third version.
    let values: [DatabaseValue]

    init(
        _ request: NoticeRequest,
        _ row: RequestRow,
        _ progress: TriggerProgress,
        _ encoder: JSONEncoder,
        placesInShort: Bool = true
    ) throws {
        let form = row.form(of: request.trigger, placesInShort: placesInShort)
        let traits = RequestTraits.of(request)
        values =
            [row.revision.databaseValue, Data(request.id.utf8).databaseValue] + Self.values(of: progress) + [
                form.shape.databaseValue,
                form.seconds.map { $0.databaseValue } ?? form.number.databaseValue,
                form.times.databaseValue,
                (traits === RequestTraits.usual ? nil : try encoder.encode(traits)).databaseValue,
                (form.region?.latitude).databaseValue,
                (form.region?.longitude).databaseValue,
                (form.region?.radius).databaseValue,
            ]
    }

    /// Over all but the progress: ``SummedTable/pending`` has the same columns.
    var sum: Int64 {
        let table = SummedTable.pending
        return RowSum.of(table.label(of: table.sums[0]), values[..<2] + values[6...])
    }

    private static func values(of progress: TriggerProgress) -> [DatabaseValue] {
        [
            progress.anchor.databaseValue, progress.fired.databaseValue, progress.lastDue.databaseValue,
            progress.lastLocal.databaseValue,
        ]
    }

    var insertionArguments: StatementArguments {
        let table = SummedTable.pending
        let progressSum = RowSum.of(table.label(of: table.sums[1]), values[..<1] + values[2..<6])
        return StatementArguments(values + [sum.databaseValue, progressSum.databaseValue])
    }

    static func updateArguments(_ progress: TriggerProgress, _ revision: Int64) -> StatementArguments {
        let (values, revision, table) = (values(of: progress), revision.databaseValue, SummedTable.pending)
        let sum = RowSum.of(table.label(of: table.sums[1]), [revision] + values)
        return StatementArguments(values + [sum.databaseValue, revision])
    }
}
