import Belfry

/// The steps of `belfry demo`. The raw values are the names that the hook receives.
enum DemoStep: String, CaseIterable, Sendable {
    case plain, urgent, actions, progress, series, answer, done

    var summary: String {
        switch self {
        case .plain: "a title and a text, and one with an icon"
        case .urgent: "a critical notice, which stays"
        case .actions: "buttons"
        case .progress: "a bar that moves: one popup, replaced in place"
        case .series: "a series of three, a second apart, until one is answered"
        case .answer: "a question"
        case .done: "the end; what is left is taken down"
        }
    }
}

/// The contents of the demo.
enum DemoContent {
    /// The title that scripts search for.
    static let question = "Answer me"

    static let plain = NoticeContent(
        title: "Belfry",
        body: "Local notifications for Swift on Linux. 1 < 2 & \"quotes\" are plain text."
    )

    static let icon = NoticeContent(
        title: "With an icon",
        body: "A name from the icon theme.",
        icon: .named("appointment-soon")
    )

    static let urgent = NoticeContent(
        title: "Urgent",
        body: "Critical notices pass quiet hours.",
        icon: .named("dialog-warning"),
        level: .critical
    )

    static let actions = NoticeContent(
        title: "With buttons",
        body: "They come back to the program as a response.",
        actions: [NoticeAction("open", title: "Open"), NoticeAction("later", title: "Later")]
    )

    static func progress(_ share: Double) -> NoticeContent {
        let isDone = share >= 1
        return NoticeContent(
            title: isDone ? "Copied" : "Copying",
            body: isDone ? "All of it." : "\(Int(share * 100)) %",
            progress: share
        )
    }

    static let series = NoticeContent(
        title: "A message",
        body: "It comes again until it is answered.",
        icon: .named("mail-unread")
    )

    static let answer = NoticeContent(
        title: question,
        body: "Click one of the buttons.",
        actions: [NoticeAction("yes", title: "Yes"), NoticeAction("no", title: "No")]
    ).with { $0.desktop.expiry = .never }
}
