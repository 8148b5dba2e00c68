/// How a center behaves; the defaults suit most apps.
public struct CenterOptions: Sendable {
    /// How many requests may be pending; nil is without limit.
    public var pendingLimit: PendingLimit?
    /// How long a backend may take over one call; 30 s.
    public var deliveryTimeLimit: Duration
    /// How long the app's delegate and content provider may take; 5 s.
    public var appTimeLimit: Duration
    /// How long the user may think about the question whether the app may show notices; 2 minutes.
    public var promptTimeLimit: Duration
    /// The kinds of trigger that may come out of the store.
    public var triggers: TriggerRegistry
    /// Makes the content of a due notice anew, on a thread for apps; after ``appTimeLimit`` the stored content is shown.
    public var contentProvider: (@concurrent @Sendable (Delivery) async -> NoticeContent)?

    /// How many bytes one attachment may have, since it is copied; ``usualAttachmentLimit``. A store that copies has a
    /// limit of its own for files that grow afterwards: raise both.
    public var attachmentLimit: Int

    /// 64 MiB.
    public static let usualAttachmentLimit = 64 << 20

    /// Creates options; each default is what most apps want.
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
