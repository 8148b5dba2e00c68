/// What many notices of one thread become: one that tells how many there are.
///
/// When more than ``moreThan`` of them come within ``within``, those on the screen are taken down and one notice takes
/// their place; as long as it stands, each further one raises its count. Critical ones are shown by themselves.
///
/// ```swift
/// content.thread = "inbox"
/// content.summary = ThreadSummary(moreThan: 4, within: .seconds(60), title: "{count} new messages")
/// ```
public struct ThreadSummary: Sendable, Codable, Hashable {
    /// So many are still shown one by one; 1 to 1,000.
    public var moreThan: Int
    /// Longer than zero.
    public var within: Duration
    /// `{count}` stands for the number, here and in all other texts.
    public var title: String
    /// The body of the summary; `{count}` stands for the number of notices.
    public var body: String
    /// By language, as ``NoticeContent/translations``.
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
    }
}

extension NoticeContent {
    /// The notice that tells of so many: what belongs to one of them alone is left out.
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
        content.desktop.category = desktop.category
        content.desktop.appName = desktop.appName
        content.reportsDismissal = reportsDismissal
        content.userInfo = userInfo
        return content
    }
}
