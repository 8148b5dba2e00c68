import Belfry
public import Foundation

/// The ``UNNotificationResponse/actionIdentifier`` of a click on the notice itself.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The ``UNNotificationResponse/actionIdentifier`` of a notice that the user closed.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// The user's response to a notice.
///
/// ```swift
/// final class Responses: NSObject, UNUserNotificationCenterDelegate {
///     func userNotificationCenter(
///         _ center: UNUserNotificationCenter,
///         didReceive response: UNNotificationResponse
///     ) async {
///         print(response.notification.request.identifier, response.actionIdentifier)
///     }
/// }
/// ```
public class UNNotificationResponse: NSObject, @unchecked Sendable {
    /// The notice.
    public let notification: UNNotification
    /// The button's identifier, or one of the two identifiers above.
    public let actionIdentifier: String

    init(_ notification: UNNotification, action: String) {
        self.notification = notification
        actionIdentifier = action
    }

    static func made(from response: NoticeResponse, deliveredAt date: Date) -> UNNotificationResponse {
        var content = response.request?.content ?? NoticeContent(title: "")
        content.userInfo = response.userInfo
        let notice = UNNotification(id: response.requestID, content: content, date: date)
        return switch response.kind {
        case .opened: UNNotificationResponse(notice, action: UNNotificationDefaultActionIdentifier)
        case .dismissed: UNNotificationResponse(notice, action: UNNotificationDismissActionIdentifier)
        case .action(let id): UNNotificationResponse(notice, action: id)
        case .reply(let id, let text): UNTextInputNotificationResponse(notice, action: id, text: text)
        }
    }
}

/// A response with a text that the user typed.
///
/// ```swift
/// func reply(in response: UNNotificationResponse) -> String? {
///     (response as? UNTextInputNotificationResponse)?.userText
/// }
/// ```
public final class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
    /// The text.
    public let userText: String

    init(_ notification: UNNotification, action: String, text: String) {
        userText = text
        super.init(notification, action: action)
    }
}
