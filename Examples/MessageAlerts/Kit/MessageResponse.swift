import Belfry
import Foundation

/// What the user did about a message's alert.
public enum MessageResponse: Sendable, Hashable {
    /// A click on the alert, or on Reply where the server has no field to type into: show the message.
    case open(messageID: String)
    case markAsRead(messageID: String)
    case reply(messageID: String, text: String)
    /// Snoozed, which the center has done: the message alerts again then, and has no response yet.
    case snoozed(messageID: String, until: Date)

    /// The alerts of the message have ended.
    public var ends: Bool { if case .snoozed = self { false } else { true } }

    /// Nil where the response is not about a message.
    public init?(_ response: NoticeResponse) {
        guard case .string(let id) = response.userInfo[Message.idKey] else { return nil }
        if let until = response.snoozedUntil {
            self = .snoozed(messageID: id, until: until)
            return
        }
        switch response.kind {
        case .action("read"): self = .markAsRead(messageID: id)
        case .reply(_, let text): self = .reply(messageID: id, text: text)
        case .opened, .action: self = .open(messageID: id)
        case .dismissed: return nil
        }
    }
}
