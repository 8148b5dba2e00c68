public import Belfry

/// Options for opening and keeping a ``SQLiteRequestStore``.
///
/// ```swift
/// // Waits for an earlier process of the app to end, and keeps a short history.
/// let options = SQLiteStoreOptions(lockWait: .seconds(5), history: HistoryLimit(count: 500))
/// let center = NoticeCenter(app: app, backend: backend, store: try await .sqlite(for: app, options: options))
/// ```
public struct SQLiteStoreOptions: Sendable {
    /// The kinds of trigger that can be read. Requests of other kinds are kept byte for byte and stay dormant.
    public var triggers: TriggerRegistry
    /// The time to wait for another process that has the store open, or reads its file with SQLite (a backup); zero
    /// throws at once.
    public var lockWait: Duration
    /// The limit of the history.
    public var history: HistoryLimit
    /// The maximum size of an attachment to copy, in bytes. A file that has outgrown it since the center checked it
    /// keeps its path and is not copied. It must not be less than ``Belfry/CenterOptions/attachmentLimit``.
    public var attachmentLimit: Int

    /// Creates options; the defaults suit most apps.
    public init(
        triggers: TriggerRegistry = .standard,
        lockWait: Duration = .zero,
        history: HistoryLimit = HistoryLimit(),
        attachmentLimit: Int = CenterOptions.defaultAttachmentLimit
    ) {
        self.triggers = triggers
        self.lockWait = lockWait
        self.history = history
        self.attachmentLimit = attachmentLimit
    }
}

/// The limit of the history: entries beyond either bound are dropped, oldest first.
///
/// Trimming is amortized: up to an eighth more entries than ``count`` may exist for a while.
///
/// ```swift
/// let lastMonth = HistoryLimit(count: nil, age: .seconds(30 * 86_400))
/// let store = try await SQLiteRequestStore.open(for: app, options: SQLiteStoreOptions(history: lastMonth))
/// ```
public struct HistoryLimit: Sendable, Hashable, Codable {
    /// The number of newest entries to keep, 0 or more; nil is unlimited.
    public var count: Int?
    /// The maximum age of an entry, relative to the newest one; nil is unlimited.
    public var age: Duration?

    /// Creates a limit; nil is unlimited.
    public init(count: Int? = 10_000, age: Duration? = .seconds(90 * 86_400)) {
        self.count = count
        self.age = age
    }

    /// The number of appended entries after which the history is trimmed.
    var trimInterval: Int { min(1_000, max(1, (count ?? 8_000) / 8)) }
}
