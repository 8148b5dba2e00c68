import Belfry
public import Foundation

/// A request for a notice: its content and its trigger.
///
/// ```swift
/// let content = UNMutableNotificationContent()
/// content.title = "Tea is ready"
/// let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 180, repeats: false)
/// let request = UNNotificationRequest(identifier: "tea", content: content, trigger: trigger)
/// try await UNUserNotificationCenter.current().add(request)
/// ```
public final class UNNotificationRequest: NSObject, NSCopying, Sendable {
    /// The identifier of the request; a new request with the same one replaces it.
    public let identifier: String
    /// The content at the time the request was created.
    public let content: UNNotificationContent
    /// The trigger; nil shows the notice now.
    public let trigger: UNNotificationTrigger?

    /// Creates a request with a copy of the content.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = content.snapshot()
        self.trigger = trigger
    }

    convenience init(_ request: NoticeRequest) {
        self.init(
            identifier: request.id,
            content: UNNotificationContent(request.content),
            trigger: .made(from: request.trigger, CarriedValues(of: request.content))
        )
    }

    /// The values by which two are equal.
    private var parts: [AnyHashable] { [identifier, content, AnyHashable(trigger)] }

    /// Whether the other has the same values.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationRequest)?.parts == parts }
    /// The hash of its values.
    public override var hash: Int { parts.hashValue }
    /// Returns the request itself, which can't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A notice that is shown, or about to be.
///
/// ```swift
/// let center = UNUserNotificationCenter.current()
/// for notification in await center.deliveredNotifications() {
///     print(notification.request.identifier, notification.date)
/// }
/// ```
public final class UNNotification: NSObject, Sendable {
    /// The date it was shown; in `willPresent`, the date it would be.
    public let date: Date
    /// The request, with the trigger that fired.
    public let request: UNNotificationRequest

    init(id: String, content: NoticeContent, date: Date) {
        let carried = CarriedValues(of: content)
        self.date = date
        request = UNNotificationRequest(
            identifier: id,
            content: UNNotificationContent(content),
            trigger: .made(from: carried.trigger?.trigger, carried)
        )
    }

    convenience init(_ delivery: Delivery) {
        let date = delivery.dueDate.addingTimeInterval(delivery.late / .seconds(1))
        self.init(id: delivery.requestID, content: delivery.content, date: date)
    }
}
