/// The texts, pictures, buttons and sound of a notice.
///
/// A title is enough. The initializer has parameters for the most common fields; the others are properties.
/// ``desktop-swift.property`` has the settings that only notification servers of Linux desktops support.
///
/// ```swift
/// var content = NoticeContent(title: "Tea", body: "Four minutes are over.", level: .timeSensitive)
/// content.actions = [NoticeAction("again", title: "One more minute")]
/// content.desktop.expiry = .never
/// ```
public struct NoticeContent: Sendable, Hashable {
    /// The format of ``NoticeContent/body``.
    public enum BodyFormat: String, Sendable, Codable, Hashable, CaseIterable {
        /// Plain text: nothing in it is markup.
        case plain
        /// `<b>`, `<i>`, `<u>`, `<a href="…">`, `<img src="…" alt="…"/>` and line breaks. Other tags are removed, and
        /// their text stays. A picture is a local file; if it can't be shown, its `alt` text replaces it.
        case markup
    }

    /// The first line, in plain text.
    public var title: String
    /// A second line below the title, in plain text.
    public var subtitle: String
    /// The message, in the format ``bodyFormat-swift.property``.
    public var body: String
    /// The format of the body; plain text by default.
    public var bodyFormat = BodyFormat.plain
    /// Texts by language (`de`, `pt-BR`), chosen when the notice is shown.
    public var translations: [String: Translation] = [:]
    /// The small picture; nil uses the app's icon.
    public var icon: NoticeIcon?
    /// The large picture.
    public var image: NoticeImage?
    /// The sound; nil leaves it to the desktop.
    public var sound: NoticeSound?
    /// How much the notice may disturb.
    public var level: InterruptionLevel
    /// 0 to 1: the importance among an app's notices if not all of them can be kept or shown.
    public var relevance = 0.0
    /// The ``NoticeCategory/id`` of one of the center's categories.
    public var category: String?
    /// The name of the conversation or topic that the notice belongs to.
    public var thread: String?
    /// The buttons, in the order in which they are shown; if empty, the category's buttons are used.
    public var actions: [NoticeAction]
    /// True: closing the notice by hand is a response, even if the category does not request it.
    public var reportsDismissal = false
    /// The progress bar, 0 to 1; nil shows none.
    public var progress: Double?
    /// The number on the app's icon: nil leaves it unchanged, 0 removes it.
    public var badge: Int?
    /// Files that belong to the notice.
    public var attachments: [NoticeAttachment] = []
    /// False: the notice is never shown. When it is due, ``NoticeCenterDelegate/handleUndisplayed(_:)`` receives it, or
    /// without a delegate ``CenterEvent/undisplayed(_:)``. Its outcome in the history is `suppressed`.
    public var isDisplayed = true
    /// The app's own data, which the response contains.
    public var userInfo: [String: JSONValue]
    /// The notice that replaces many notices of one ``thread``; nil shows each of them.
    public var summary: ThreadSummary?
    /// Settings that only notification servers of Linux desktops support.
    public var desktop = Desktop()

    /// The texts in one language; nil uses the content's own.
    public struct Translation: Sendable, Codable, Hashable {
        /// The title in this language; nil uses the content's.
        public var title: String?
        /// The subtitle in this language; nil uses the content's.
        public var subtitle: String?
        /// The body in this language; nil uses the content's.
        public var body: String?
        /// The titles of actions, by ``NoticeAction/id``.
        public var actions: [String: String]

        /// Creates a translation; texts that are nil are not translated.
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

        /// The maximum number of languages of one notice.
        public static let maximumCount = 500
    }

    /// Creates a content from the most common fields; the others are properties.
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
    /// Returns a copy with some changes, for use within an expression.
    package func with(_ change: (inout NoticeContent) -> Void) -> NoticeContent {
        var content = self
        change(&content)
        return content
    }
}
