public import Belfry

/// Contents that have broken backends.
///
/// ```swift
/// for (name, content) in OddContent.all {
///     let delivery = Delivery(id: name, requestID: name, app: app, content: content, dueDate: Date())
///     do { _ = try await backend.deliver(delivery) } catch { print("\(name): \(error)") }
/// }
/// ```
public enum OddContent {
    /// The contents, each with a name for what is odd about it.
    public static var all: [(name: String, content: NoticeContent)] {
        [
            ("no body", NoticeContent(title: "Title")),
            ("no title", NoticeContent(title: "", body: "Body")),
            ("nothing at all", NoticeContent(title: "")),
            ("10,000 actions", NoticeContent(title: "Many", actions: manyActions)),
            ("actions without titles", NoticeContent(title: "Buttons", actions: [NoticeAction("a", title: "")])),
            ("twice the same action", NoticeContent(title: "Twice", actions: [twin, twin])),
            ("control characters", NoticeContent(title: "A\u{7}\u{8}\u{1B}[31mB", body: "\u{9B}2J\r\n\u{1}\u{7F}")),
            ("NUL characters", NoticeContent(title: "A\0B", body: "\0")),
            ("noncharacters", NoticeContent(title: "\u{FFFE}\u{FFFF}", body: "\u{1FFFF}\u{10FFFF}")),
            ("right to left overrides", NoticeContent(title: "\u{202E}txet", body: "\u{2066}\u{2069}\u{200F}")),
            ("a thousand accents", NoticeContent(title: "e" + String(repeating: "\u{301}", count: 1000))),
            (
                "a megabyte of body",
                NoticeContent(title: "Long", body: String(repeating: "0123456789abcde\n", count: 65_536))
            ),
            ("a megabyte without a space", NoticeContent(title: "Long", body: String(repeating: "ä", count: 524_288))),
            (
                "broken markup",
                NoticeContent(title: "<b>", body: "<b><i>&lt;&#0;<a href=\"x\">&").with { $0.bodyFormat = .markup }
            ),
            ("a missing image", NoticeContent(title: "Image", image: .file("/no such folder/picture.png"))),
            ("a folder for an image", NoticeContent(title: "Image", image: .file("/"))),
            ("a missing icon", NoticeContent(title: "Icon", icon: .file("/no such folder/icon.png"))),
            ("an icon without a name", NoticeContent(title: "Icon", icon: .named(""))),
            ("pixels that are too few", NoticeContent(title: "Pixels", image: .pixels(tooFewPixels))),
            ("pixels of no size", NoticeContent(title: "Pixels", image: .pixels(noPixels))),
            ("a missing sound", NoticeContent(title: "Sound", sound: .file("/no such folder/sound.oga"))),
            ("progress out of range", NoticeContent(title: "Progress", progress: 7.5)),
            ("progress that is no number", NoticeContent(title: "Progress", progress: .nan)),
            ("a negative badge", NoticeContent(title: "Badge").with { $0.badge = .min }),
            ("an expiry before now", NoticeContent(title: "Expiry").with { $0.desktop.expiry = .after(.seconds(-1)) }),
            (
                "an expiry after the end of time",
                NoticeContent(title: "Expiry").with { $0.desktop.expiry = .after(.seconds(Int64.max)) }
            ),
            (
                "hints without names",
                NoticeContent(title: "Hints").with {
                    $0.desktop.hints = ["": .string(""), "a b\0": .double(.infinity)]
                }
            ),
            ("a reply field", NoticeContent(title: "Reply", actions: [reply])),
        ]
    }

    private static var manyActions: [NoticeAction] {
        (0..<10_000).map { NoticeAction("action-\($0)", title: "Action \($0)") }
    }
    private static let twin = NoticeAction("same", title: "Same")
    private static let reply = NoticeAction("reply", title: "Reply", kind: .reply(placeholder: "Text\n\u{1B}"))
    private static let tooFewPixels = NoticeImage.Pixels(width: 2000, height: 2000, hasAlpha: true, bytes: [1, 2, 3])
    private static let noPixels = NoticeImage.Pixels(width: 0, height: -1, rowStride: .max, hasAlpha: false, bytes: [])
}
