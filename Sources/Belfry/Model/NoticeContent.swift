/// What the person sees and hears.
///
/// ```swift
/// var content = NoticeContent(title: "Tea", body: "Four minutes are over.")
/// content.level = .timeSensitive
/// content.actions = [NoticeAction("again", title: "One more minute")]
/// ```
public struct NoticeContent: Sendable, Hashable {
    public enum BodyFormat: String, Sendable, Codable, Hashable, CaseIterable {
        /// The text as it is: nothing in it is markup.
        case plain
        /// `<b>`, `<i>`, `<u>`, `<a href="…">` and line breaks; other tags are removed, their text stays.
        case markup
    }

    /// How long the notice stays on the screen; some desktops (GNOME) decide that themselves.
    public enum Expiry: Sendable, Codable, Hashable {
        case serverDefault
        case never
        case after(Duration)
    }

    public var title: String
    public var subtitle: String
    public var body: String
    public var bodyFormat: BodyFormat
    /// Texts by language (`de`, `pt-BR`), chosen when the notice is shown.
    public var translations: [String: Translation]
    public var icon: NoticeIcon?
    public var image: NoticeImage?
    public var sound: NoticeSound?
    public var level: InterruptionLevel
    /// 0 to 1: which of an app's notices matters more where not all can be kept or shown.
    public var relevance: Double
    /// Names a ``NoticeCategory`` of the center.
    public var category: String?
    /// Notices of one thread belong together.
    public var thread: String?
    /// In the order in which they are shown; where empty, the category's are taken.
    public var actions: [NoticeAction]
    /// True: closing the notice by hand is a response, as where the category asks for it.
    public var reportsDismissal: Bool
    /// 0 to 1; nil shows no bar.
    public var progress: Double?
    /// The number on the app's icon: nil leaves it, 0 removes it.
    public var badge: Int?
    public var attachments: [NoticeAttachment]
    public var expiry: Expiry
    /// True: not kept in the server's history once its time on the screen is over.
    public var isTransient: Bool
    /// True: stays after an action was chosen.
    public var isResident: Bool
    /// False: never shown. When it is due the app is given it as a response (``NoticeResponse/Kind/due(_:)``), which is
    /// kept until its handler has taken it; the history says `suppressed`.
    public var isDisplayed: Bool
    /// A category of the freedesktop specification, such as `im.received`.
    public var desktopCategory: String?
    /// Hints that Belfry has no field for. One of the specification that has another type than it says is put right where
    /// the value allows it, else refused by `add` (``NoticeError/Code/invalidContent``): some servers never answer such a call.
    public var hints: [String: NoticeHint]
    /// The app's own data, which comes back with the response.
    public var userInfo: [String: JSONValue]
    /// What many notices of the ``thread`` become; nil shows each of them.
    public var summary: ThreadSummary?
    /// The name under which the notice speaks, as a tool does that notifies for others; nil takes the app's.
    public var appName: String?

    /// The texts in one language; nil takes the content's own.
    public struct Translation: Sendable, Codable, Hashable {
        public var title: String?
        public var subtitle: String?
        public var body: String?
        /// Titles of actions by identifier.
        public var actions: [String: String]

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

    public init(
        title: String,
        subtitle: String = "",
        body: String = "",
        bodyFormat: BodyFormat = .plain,
        translations: [String: Translation] = [:],
        icon: NoticeIcon? = nil,
        image: NoticeImage? = nil,
        sound: NoticeSound? = nil,
        level: InterruptionLevel = .active,
        relevance: Double = 0,
        category: String? = nil,
        thread: String? = nil,
        actions: [NoticeAction] = [],
        reportsDismissal: Bool = false,
        progress: Double? = nil,
        badge: Int? = nil,
        attachments: [NoticeAttachment] = [],
        expiry: Expiry = .serverDefault,
        isTransient: Bool = false,
        isResident: Bool = false,
        isDisplayed: Bool = true,
        desktopCategory: String? = nil,
        hints: [String: NoticeHint] = [:],
        userInfo: [String: JSONValue] = [:],
        summary: ThreadSummary? = nil,
        appName: String? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.bodyFormat = bodyFormat
        self.translations = translations
        self.icon = icon
        self.image = image
        self.sound = sound
        self.level = level
        self.relevance = relevance
        self.category = category
        self.thread = thread
        self.actions = actions
        self.reportsDismissal = reportsDismissal
        self.progress = progress
        self.badge = badge
        self.attachments = attachments
        self.expiry = expiry
        self.isTransient = isTransient
        self.isResident = isResident
        self.isDisplayed = isDisplayed
        self.desktopCategory = desktopCategory
        self.hints = hints
        self.userInfo = userInfo
        self.summary = summary
        self.appName = appName
    }
}
