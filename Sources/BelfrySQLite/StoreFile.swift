import Belfry
import Synchronization

/// What is done with a store's file, on its queue.
///
/// Apart from ``SQLiteRequestStore``, so that work on the queue holds this one only: the store's end closes the file and
/// waits for the queue, which the queue itself can't.
final class StoreFile: Sendable {
    let path: String
    let options: SQLiteStoreOptions
    let attachments: AttachmentFolder
    let report: Mutex<StoreOpeningReport>
    /// How many lines were appended to the ledger since it was last trimmed.
    let untrimmed = Mutex(0)
    /// Called before each change of a batch; a test's way to make a commit fail half-way through.
    let fault = Mutex<(@Sendable (StoreChange) throws -> Void)?>(nil)

    init(_ path: String, _ options: SQLiteStoreOptions, _ attachments: AttachmentFolder, _ report: StoreOpeningReport) {
        self.path = path
        self.options = options
        self.attachments = attachments
        self.report = Mutex(report)
    }
}
