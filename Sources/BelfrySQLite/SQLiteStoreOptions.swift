public import Belfry

/// How a ``SQLiteRequestStore`` is opened and kept.
public struct SQLiteStoreOptions: Sendable {
    /// The kinds of trigger that can be read. Requests of other kinds are kept byte for byte and stay dormant.
    public var triggers: TriggerRegistry
    /// How long to wait for another process that has the store open; zero refuses at once.
    public var lockWait: Duration
    /// How much of the history is kept.
    public var history: HistoryLimit
    /// How many bytes of an attachment are copied, whatever a file has become since the center looked at it: one that
    /// is larger by then keeps its name and is not copied. Not less than ``Belfry/CenterOptions/attachmentLimit``.
    public var attachmentLimit: Int

    /// Creates options; each default is what most apps want.
    public init(
        triggers: TriggerRegistry = .standard,
        lockWait: Duration = .zero,
        history: HistoryLimit = HistoryLimit(),
        attachmentLimit: Int = CenterOptions.usualAttachmentLimit
    ) {
        self.triggers = triggers
        self.lockWait = lockWait
        self.history = history
        self.attachmentLimit = attachmentLimit
    }
}

/// How much of the history is kept: what exceeds either bound is dropped, oldest first.
///
/// Trimming is amortised: up to an eighth more lines than ``count`` may stand for a while.
public struct HistoryLimit: Sendable, Hashable, Codable {
    /// The newest so many lines, 0 or more; nil is without limit.
    public var count: Int?
    /// Lines older than this, reckoned from the newest line; nil is without limit.
    public var age: Duration?

    /// Creates a limit; what is nil is not limited.
    public init(count: Int? = 10_000, age: Duration? = .seconds(90 * 86_400)) {
        self.count = count
        self.age = age
    }

    /// After how many appended lines the history is trimmed.
    var trimInterval: Int { min(1_000, max(1, (count ?? 8_000) / 8)) }
}
