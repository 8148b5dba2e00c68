import Belfry
public import Foundation

/// The ``UNNotificationResponse/actionIdentifier`` of a click on the notice itself.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The ``UNNotificationResponse/actionIdentifier`` of a notice that was closed by hand.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// What the user did.
public class UNNotificationResponse: NSObject, @unchecked Sendable {
    /// The notice.
    public let notification: UNNotification
    /// The button, or one of the two identifiers above.
    public let actionIdentifier: String

    init(_ response: NoticeResponse, action: String) {
        var content = response.request?.content ?? NoticeContent(title: "")
        content.userInfo = response.userInfo
        notification = UNNotification(id: response.requestID, content: content, date: response.date)
        actionIdentifier = action
    }

    static func made(from response: NoticeResponse) -> UNNotificationResponse {
        switch response.kind {
        case .opened: UNNotificationResponse(response, action: UNNotificationDefaultActionIdentifier)
        case .dismissed: UNNotificationResponse(response, action: UNNotificationDismissActionIdentifier)
        case .action(let id): UNNotificationResponse(response, action: id)
        case .reply(let id, let text): UNTextInputNotificationResponse(response, action: id, text: text)
        }
    }
}

/// A text that the user typed.
public final class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
    /// The text.
    public let userText: String

    init(_ response: NoticeResponse, action: String, text: String) {
        userText = text
        super.init(response, action: action)
    }
}
