/// One notice with a count that replaces many notices of a thread.
///
/// When more than ``moreThan`` notices are due within ``within``, one summary replaces those on the screen. While it is
/// on the screen, each further notice raises its count. Critical notices are never summarized.
///
/// ```swift
/// var content = NoticeContent(title: "Mail from Anna")
/// content.thread = "inbox"
/// content.summary = ThreadSummary(moreThan: 4, within: .seconds(60), title: "{count} new messages")
/// ```
public struct ThreadSummary: Sendable, Codable, Hashable {
    /// How many notices are shown individually; 1 to 1,000.
    public var moreThan: Int
    /// The period in which notices are counted; longer than zero, at most 366 days.
    public var within: Duration
    /// The title of the summary; `{count}` is replaced by the number of notices, here and in all other texts.
    public var title: String
    /// The body of the summary; `{count}` is replaced by the number of notices.
    public var body: String
    /// Texts by language, as in ``NoticeContent/translations``.
    public var translations: [String: NoticeContent.Translation]

    /// Creates a summary; `add` checks it with its content.
    public init(
        moreThan: Int,
        within: Duration,
        title: String,
        body: String = "",
        translations: [String: NoticeContent.Translation] = [:]
    ) {
        self.moreThan = moreThan
        self.within = within
        self.title = title
        self.body = body
        self.translations = translations
    }

    func validate(of id: String) throws(NoticeError) {
        guard (1...1_000).contains(moreThan) else {
            throw NoticeError(
                .invalidContent,
                "The summary of '\(id)' comes after \(moreThan) notices: it must be 1 to 1,000."
            )
        }
        guard within > .zero, within <= .seconds(366 * 86_400) else {
            throw NoticeError(
                .invalidContent,
                "The summary of '\(id)' looks back \(within.seconds) s: it must be longer than zero and at most a year."
            )
        }
        guard title.isVisible || body.isVisible else {
            throw NoticeError(.emptyContent, "The summary of '\(id)' has no text: give it a title or a body.")
        }
    }
}

extension NoticeContent {
    /// Returns the summary of `count` notices; fields that belong to a single notice are omitted.
    func summarized(_ count: Int) -> NoticeContent {
        guard let summary else { return self }
        func filled(_ text: String) -> String { text.replacing("{count}", with: "\(count)") }
        var content = NoticeContent(title: filled(summary.title), body: filled(summary.body))
        content.translations = summary.translations.mapValues { texts in
            Translation(title: texts.title.map(filled), subtitle: nil, body: texts.body.map(filled))
        }
        content.icon = icon
        content.sound = sound
        content.level = level
        content.relevance = relevance
        content.thread = thread
        content.badge = badge
        content.desktop.expiry = desktop.expiry
        content.desktop.isTransient = desktop.isTransient
        content.desktop.privacy = desktop.privacy
        content.desktop.category = desktop.category
        content.desktop.appName = desktop.appName
        content.reportsDismissal = reportsDismissal
        content.userInfo = userInfo
        return content
    }
}
