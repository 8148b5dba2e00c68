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
    let damageLog: StoreDamageLog
    let report: Mutex<StoreOpeningReport>
    /// What opening has read, until somebody takes it.
    let state: HeldState
    /// How many lines were appended to the history since it was last trimmed.
    let untrimmed = Mutex(0)
    /// As the last transaction has left it.
    let header: Mutex<StoreHeader>
    /// Nil once the store has been closed.
    let mark: Mutex<CommitMark?>
    /// Called before each change of a batch; a test's way to make a commit fail half-way through.
    let fault = Mutex<(@Sendable (StoreChange) throws -> Void)?>(nil)

    private let place: StoreFolder
    /// The reasons of what was reported since opening.
    private let reported = Mutex<Set<String>>([])

    init(
        _ place: StoreFolder,
        _ options: SQLiteStoreOptions,
        _ attachments: AttachmentFolder,
        _ header: StoreHeader,
        _ mark: CommitMark
    ) {
        self.place = place
        path = place.database
        damageLog = StoreDamageLog(folder: place.path)
        self.options = options
        self.attachments = attachments
        self.header = Mutex(header)
        self.mark = Mutex(mark)
        report = Mutex(StoreOpeningReport())
        state = HeldState()
    }

    /// Damage was come upon: the next opening reads every page.
    func askForCheck() { place.askForCheck() }

    /// Damage was come upon while the store is open. Each is reported once.
    func report(_ damage: NoticeStore.Damage) {
        askForCheck()
        guard reported.withLock({ $0.insert(damage.reason).inserted }) else { return }
        // A report that can't be kept is made again by the next opening, which looks at everything.
        try? damageLog.add(damage)
    }
}

/// A state that is handed over once: it may be as large as all that is pending.
final class HeldState: Sendable {
    private let state = Mutex<StoredState?>(nil)

    func put(_ new: StoredState) { state.withLock { $0 = new } }

    func take() -> StoredState? {
        state.withLock { held in
            defer { held = nil }
            return held
        }
    }
}
