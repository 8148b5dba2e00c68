import Belfry
public import Foundation

/// A notice to show: its content and when.
public final class UNNotificationRequest: NSObject, Sendable {
    /// The name of the request; another with the same name replaces it.
    public let identifier: String
    /// What it says, as it was when the request was made.
    public let content: UNNotificationContent
    /// When it is shown; nil is now.
    public let trigger: UNNotificationTrigger?

    /// Makes a request, with a copy of the content.
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
}

/// A notice that is shown, or about to be.
public final class UNNotification: NSObject, Sendable {
    /// When it was shown; in `willPresent`, when it would be.
    public let date: Date
    /// The request, with the trigger that brought it.
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
