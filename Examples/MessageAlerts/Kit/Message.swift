import Belfry
import Foundation

/// A message that somebody sent.
public struct Message: Sendable, Codable, Hashable, Identifiable {
    /// Unique among messages.
    public var id: String
    public var sender: String
    public var text: String
    /// When it came in, here: the first alert is due then.
    public var arrived: Date

    public init(id: String, sender: String, text: String, arrived: Date) {
        self.id = id
        self.sender = sender
        self.text = text
        self.arrived = arrived
    }
}

extension Message {
    static let alertPrefix = "message/"
    static let idKey = "message"

    /// The base of the message's series, or the identifier of its repeating request.
    var alertID: String { Self.alertPrefix + id }

    func content(_ plan: AlertPlan) -> NoticeContent {
        var content = NoticeContent(title: sender, body: text)
        content.icon = .named("mail-unread")
        content.sound = .named("message-new-instant")
        content.level = plan.isUrgent ? .timeSensitive : .active
        content.thread = "messages/\(sender)"
        content.desktop.category = "im.received"
        content.actions = [
            NoticeAction("reply", title: "Reply", kind: .reply(placeholder: "Reply to \(sender)")),
            NoticeAction("read", title: "Mark as read"),
            .snooze(plan.snooze),
        ]
        content.userInfo[Self.idKey] = .string(id)
        return content
    }
}
