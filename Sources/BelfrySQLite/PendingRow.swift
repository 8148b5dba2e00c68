import Belfry
import Foundation
import GRDB

/// A row of the table `pending`: what decides when a request fires, and nothing of what it shows.
struct PendingRow {
    static let insertion = "INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    let arguments: StatementArguments

    init(
        _ request: NoticeRequest,
        _ row: RequestRow,
        _ progress: TriggerProgress,
        _ encoder: JSONEncoder
    ) throws {
        let form = row.form(of: request.trigger)
        let traits = RequestTraits.of(request)
        arguments = [
            row.revision, Data(request.id.utf8), progress.anchor, progress.fired, progress.lastDue, progress.lastLocal,
            form.shape, form.seconds.map { $0.databaseValue } ?? form.number.databaseValue, form.times,
            traits === RequestTraits.usual ? nil : try encoder.encode(traits),
        ]
    }
}
