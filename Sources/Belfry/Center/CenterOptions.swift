/// The options of a center; the defaults suit most apps.
///
/// ```swift
/// var options = CenterOptions(pendingLimit: .init(count: 500, overflow: .keepSoonest))
/// options.contentProvider = { delivery in
///     var content = delivery.content
///     content.subtitle = "Due at \(delivery.dueDate.formatted(.iso8601))"
///     return content
/// }
/// let center = NoticeCenter(app: app, backend: backend, options: options)
/// ```
public struct CenterOptions: Sendable {
    /// How many requests may be pending; nil is without limit.
    public var pendingLimit: PendingLimit?
    /// The timeout of a call of the backend; 30 s.
    public var deliveryTimeout: Duration
    /// The timeout of the app's delegate and content provider, and of looking at a notice's files; 5 s.
    public var appTimeout: Duration
    /// How long the user may take to decide whether the app may show notices; 2 minutes. After that, notices are
    /// delivered quietly for ten minutes, without another question.
    public var promptTimeout: Duration
    /// The kinds of trigger that can be read from the store.
    public var triggers: TriggerRegistry
    /// Updates the content of a due notice, on an app thread; after ``appTimeout`` the stored content is shown.
    ///
    /// The center's calls in it don't wait for what comes after this notice: see
    /// ``NoticeCenterDelegate/presentation(of:)``.
    public var contentProvider: (@concurrent @Sendable (Delivery) async -> NoticeContent)?

    /// The maximum bytes of one attachment, which a store may copy; ``defaultAttachmentLimit``. A store that copies has
    /// its own limit for files that grow after `add`: raise both.
    public var attachmentLimit: Int

    /// The default ``attachmentLimit``: 64 MiB.
    public static let defaultAttachmentLimit = 64 << 20

    /// Creates options; the defaults suit most apps.
    public init(
        pendingLimit: PendingLimit? = nil,
        deliveryTimeout: Duration = .seconds(30),
        appTimeout: Duration = .seconds(5),
        triggers: TriggerRegistry = .standard,
        contentProvider: (@concurrent @Sendable (Delivery) async -> NoticeContent)? = nil,
        promptTimeout: Duration = .seconds(120),
        attachmentLimit: Int = Self.defaultAttachmentLimit
    ) {
        self.pendingLimit = pendingLimit
        self.deliveryTimeout = deliveryTimeout
        self.appTimeout = appTimeout
        self.promptTimeout = promptTimeout
        self.attachmentLimit = attachmentLimit
        self.triggers = triggers
        self.contentProvider = contentProvider
    }
}
