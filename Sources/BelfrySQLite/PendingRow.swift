import Belfry
import Foundation
import GRDB

/// A row of the table `pending`: what decides when a request fires, and nothing of what it shows.
struct PendingRow {
    static let insertion = """
        INSERT OR REPLACE INTO pending (
            revision, id, anchor, fired, lastDue, lastLocal, shape, value, times, traits, latitude, longitude, radius
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// In the order of ``insertion``; the last three are of the third version.
    let values: [(any DatabaseValueConvertible)?]
    var arguments: StatementArguments { StatementArguments(values) }

    init(
        _ request: NoticeRequest,
        _ row: RequestRow,
        _ progress: TriggerProgress,
        _ encoder: JSONEncoder,
        placesInShort: Bool = true
    ) throws {
        let form = row.form(of: request.trigger, placesInShort: placesInShort)
        let traits = RequestTraits.of(request)
        values = [
            row.revision, Data(request.id.utf8), progress.anchor, progress.fired, progress.lastDue, progress.lastLocal,
            form.shape, form.seconds.map { $0.databaseValue } ?? form.number.databaseValue, form.times,
            traits === RequestTraits.usual ? nil : try encoder.encode(traits),
            form.region?.latitude, form.region?.longitude, form.region?.radius,
        ]
    }
}
