/// The texts, pictures, buttons and sound of a notice.
///
/// A title is enough. The initializer takes what most notices have, and everything else is a property. What only the
/// notification servers of Linux desktops know is in ``desktop-swift.property``.
///
/// ```swift
/// var content = NoticeContent(title: "Tea", body: "Four minutes are over.", level: .timeSensitive)
/// content.actions = [NoticeAction("again", title: "One more minute")]
/// content.desktop.expiry = .never
/// ```
public struct NoticeContent: Sendable, Hashable {
    /// How ``NoticeContent/body`` is to be read.
    public enum BodyFormat: String, Sendable, Codable, Hashable, CaseIterable {
        /// The text as it is: nothing in it is markup.
        case plain
        /// `<b>`, `<i>`, `<u>`, `<a href="…">`, `<img src="…" alt="…"/>` and line breaks; other tags are removed, their
        /// text stays. A picture is a file of this machine; where it can't be shown, its `alt` stands for it.
        case markup
    }

    /// The first line, in plain text.
    public var title: String
    /// A second line below the title, in plain text.
    public var subtitle: String
    /// The message, in ``bodyFormat-swift.property``.
    public var body: String
    /// How the body is to be read; plain text without it.
    public var bodyFormat = BodyFormat.plain
    /// Texts by language (`de`, `pt-BR`), chosen when the notice is shown.
    public var translations: [String: Translation] = [:]
    /// The small picture; the app's without it.
    public var icon: NoticeIcon?
    /// The large picture.
    public var image: NoticeImage?
    /// The sound; the desktop decides without it.
    public var sound: NoticeSound?
    /// How much the notice may disturb.
    public var level: InterruptionLevel
    /// 0 to 1: which of an app's notices matters more where not all can be kept or shown.
    public var relevance = 0.0
    /// The ``NoticeCategory/id`` of one of the center's categories.
    public var category: String?
    /// The name of the conversation or topic that the notice belongs to.
    public var thread: String?
    /// The buttons, in the order in which they are shown; where empty, the category's are taken.
    public var actions: [NoticeAction]
    /// True: closing the notice by hand is a response, as where the category asks for it.
    public var reportsDismissal = false
    /// The progress bar, 0 to 1; nil shows none.
    public var progress: Double?
    /// The number on the app's icon: nil leaves it, 0 removes it.
    public var badge: Int?
    /// Files that belong to the notice.
    public var attachments: [NoticeAttachment] = []
    /// False: never shown. When it is due, the app receives it in ``NoticeCenterDelegate/handleUndisplayed(_:)``, or
    /// without a delegate as ``CenterEvent/undisplayed(_:)``. The history says `suppressed`.
    public var isDisplayed = true
    /// The app's own data, which comes back with the response.
    public var userInfo: [String: JSONValue]
    /// What many notices of the ``thread`` become; nil shows each of them.
    public var summary: ThreadSummary?
    /// What only the notification servers of Linux desktops know.
    public var desktop = Desktop()

    /// The texts in one language; nil takes the content's own.
    public struct Translation: Sendable, Codable, Hashable {
        /// The title in this language; nil takes the content's.
        public var title: String?
        /// The subtitle in this language; nil takes the content's.
        public var subtitle: String?
        /// The body in this language; nil takes the content's.
        public var body: String?
        /// The titles of actions, by ``NoticeAction/id``.
        public var actions: [String: String]

        /// Creates a translation; what is nil is not translated.
        public init(
            title: String? = nil,
            subtitle: String? = nil,
            body: String? = nil,
            actions: [String: String] = [:]
        ) {
            self.title = title
            self.subtitle = subtitle
            self.body = body
            self.actions = actions
        }
    }

    /// Creates a content of what most notices have; everything else is a property.
    public init(
        title: String,
        subtitle: String = "",
        body: String = "",
        icon: NoticeIcon? = nil,
        image: NoticeImage? = nil,
        sound: NoticeSound? = nil,
        level: InterruptionLevel = .active,
        actions: [NoticeAction] = [],
        progress: Double? = nil,
        userInfo: [String: JSONValue] = [:]
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.icon = icon
        self.image = image
        self.sound = sound
        self.level = level
        self.actions = actions
        self.progress = progress
        self.userInfo = userInfo
    }
}

extension NoticeContent {
    /// A copy with some of it changed, where a content is made within an expression.
    package func with(_ change: (inout NoticeContent) -> Void) -> NoticeContent {
        var content = self
        change(&content)
        return content
    }
}
