/// The options of a center; the defaults suit most apps.
public struct CenterOptions: Sendable {
    /// How many requests may be pending; nil is without limit.
    public var pendingLimit: PendingLimit?
    /// The timeout of a call of the backend; 30 s.
    public var deliveryTimeLimit: Duration
    /// The timeout of the app's delegate and content provider; 5 s.
    public var appTimeLimit: Duration
    /// How long the user may take to decide whether the app may show notices; 2 minutes.
    public var promptTimeLimit: Duration
    /// The kinds of trigger that can be read from the store.
    public var triggers: TriggerRegistry
    /// Updates the content of a due notice, on an app thread; after ``appTimeLimit`` the stored content is shown.
    public var contentProvider: (@concurrent @Sendable (Delivery) async -> NoticeContent)?

    /// The maximum bytes of one attachment, which a store may copy; ``usualAttachmentLimit``. A store that copies has
    /// its own limit for files that grow after `add`: raise both.
    public var attachmentLimit: Int

    /// The default ``attachmentLimit``: 64 MiB.
    public static let usualAttachmentLimit = 64 << 20

    /// Creates options; the defaults suit most apps.
    public init(
        pendingLimit: PendingLimit? = nil,
        deliveryTimeLimit: Duration = .seconds(30),
        appTimeLimit: Duration = .seconds(5),
        triggers: TriggerRegistry = .standard,
        contentProvider: (@concurrent @Sendable (Delivery) async -> NoticeContent)? = nil,
        promptTimeLimit: Duration = .seconds(120),
        attachmentLimit: Int = Self.usualAttachmentLimit
    ) {
        self.pendingLimit = pendingLimit
        self.deliveryTimeLimit = deliveryTimeLimit
        self.appTimeLimit = appTimeLimit
        self.promptTimeLimit = promptTimeLimit
        self.attachmentLimit = attachmentLimit
        self.triggers = triggers
        self.contentProvider = contentProvider
    }
}
