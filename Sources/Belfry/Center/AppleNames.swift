// swift-format-ignore-file
// One line each: an unavailable name is not a type of this module, and tools must not read it as one.

public import FoundationEssentials

// The names of Apple's framework that developers type first. The compiler rejects them and names the replacement
// (Tests/AppleNames). The article coming-from-usernotifications has the whole list.

@available(*, unavailable, renamed: "NoticeCenter") public typealias UNUserNotificationCenter = NoticeCenter
@available(*, unavailable, renamed: "NoticeCenterDelegate") public typealias UNUserNotificationCenterDelegate = NoticeCenterDelegate
@available(*, unavailable, renamed: "NoticeRequest") public typealias UNNotificationRequest = NoticeRequest
@available(*, unavailable, renamed: "DeliveredNotice") public typealias UNNotification = DeliveredNotice
@available(*, unavailable, renamed: "NoticeContent") public typealias UNNotificationContent = NoticeContent
@available(*, unavailable, renamed: "NoticeContent") public typealias UNMutableNotificationContent = NoticeContent
@available(*, unavailable, renamed: "NoticeTrigger") public typealias UNNotificationTrigger = NoticeTrigger
@available(*, unavailable, renamed: "IntervalTrigger") public typealias UNTimeIntervalNotificationTrigger = IntervalTrigger
@available(*, unavailable, renamed: "CalendarTrigger") public typealias UNCalendarNotificationTrigger = CalendarTrigger
@available(*, unavailable, renamed: "LocationTrigger") public typealias UNLocationNotificationTrigger = LocationTrigger
@available(*, unavailable, renamed: "CircularRegion") public typealias CLCircularRegion = CircularRegion
@available(*, unavailable, renamed: "NoticeCategory") public typealias UNNotificationCategory = NoticeCategory
@available(*, unavailable, renamed: "NoticeAction") public typealias UNNotificationAction = NoticeAction
@available(*, unavailable, message: "a NoticeAction of the kind .reply(placeholder:)")
public typealias UNTextInputNotificationAction = NoticeAction
@available(*, unavailable, renamed: "NoticeResponse") public typealias UNNotificationResponse = NoticeResponse
@available(*, unavailable, renamed: "NoticeAttachment") public typealias UNNotificationAttachment = NoticeAttachment
@available(*, unavailable, renamed: "NoticeSound") public typealias UNNotificationSound = NoticeSound
@available(*, unavailable, renamed: "InterruptionLevel") public typealias UNNotificationInterruptionLevel = InterruptionLevel
@available(*, unavailable, renamed: "AuthorizationStatus") public typealias UNAuthorizationStatus = AuthorizationStatus
@available(*, unavailable, message: "one permission covers everything: requestAuthorization() takes no options") public enum UNAuthorizationOptions: Sendable { case badge, sound, alert, provisional }
@available(*, unavailable, renamed: "NoticeError") public typealias UNError = NoticeError

extension NoticeCenter {
    @available(
        *,
        unavailable,
        message: "there is no shared center: make one with NoticeCenter(app:backend:) and run it"
    )
    public static func current() -> NoticeCenter { fatalError() }

    @available(*, unavailable, message: "use setDelegate(_:), which keeps the delegate alive")
    public var delegate: (any NoticeCenterDelegate)? {
        get { fatalError() }
        set { fatalError() }
    }

    @available(*, unavailable, renamed: "add(_:)", message: "it is async and throws")
    public func add(_ request: NoticeRequest, withCompletionHandler handler: (((any Error)?) -> Void)?) { fatalError() }

    @available(*, unavailable, renamed: "requestAuthorization()", message: "one permission covers everything")
    public func requestAuthorization(options: [UNAuthorizationOptions]) async throws -> Bool { fatalError() }

    @available(*, unavailable, message: "use authorizationStatus(), capabilities() and desktopPermission()")
    public func notificationSettings() async -> Never { fatalError() }

    @available(*, unavailable, renamed: "setCategories(_:)")
    public func setNotificationCategories(_ categories: Set<NoticeCategory>) { fatalError() }

    @available(*, unavailable, renamed: "categories()")
    public func notificationCategories() async -> Set<NoticeCategory> { fatalError() }

    @available(*, unavailable, renamed: "pending()")
    public func pendingNotificationRequests() async -> [NoticeRequest] { fatalError() }

    @available(*, unavailable, renamed: "pending()", message: "it is async")
    public func getPendingNotificationRequests(completionHandler: ([NoticeRequest]) -> Void) { fatalError() }

    @available(*, unavailable, renamed: "remove(_:)")
    public func removePendingNotificationRequests(withIdentifiers ids: [String]) { fatalError() }

    @available(*, unavailable, renamed: "removeAll()")
    public func removeAllPendingNotificationRequests() { fatalError() }

    @available(*, unavailable, renamed: "delivered()")
    public func deliveredNotifications() async -> [DeliveredNotice] { fatalError() }

    @available(*, unavailable, renamed: "delivered()", message: "it is async")
    public func getDeliveredNotifications(completionHandler: ([DeliveredNotice]) -> Void) { fatalError() }

    @available(*, unavailable, renamed: "removeDelivered(_:)")
    public func removeDeliveredNotifications(withIdentifiers ids: [String]) { fatalError() }

    @available(*, unavailable, renamed: "removeAllDelivered()")
    public func removeAllDeliveredNotifications() { fatalError() }

    @available(*, unavailable, renamed: "setBadge(_:)")
    public func setBadgeCount(_ count: Int) async throws { fatalError() }
}

extension NoticeRequest {
    @available(*, unavailable, renamed: "init(id:content:trigger:)")
    public init(identifier: String, content: NoticeContent, trigger: (any NoticeTrigger)?) { fatalError() }

    @available(*, unavailable, renamed: "id")
    public var identifier: String { fatalError() }
}

extension NoticeContent {
    @available(*, unavailable, renamed: "init(title:)", message: "a notice has a title")
    public init() { fatalError() }

    @available(*, unavailable, renamed: "category")
    public var categoryIdentifier: String {
        get { fatalError() }
        set { fatalError() }
    }

    @available(*, unavailable, renamed: "thread")
    public var threadIdentifier: String {
        get { fatalError() }
        set { fatalError() }
    }

    @available(*, unavailable, renamed: "level")
    public var interruptionLevel: InterruptionLevel {
        get { fatalError() }
        set { fatalError() }
    }

    @available(*, unavailable, renamed: "relevance")
    public var relevanceScore: Double {
        get { fatalError() }
        set { fatalError() }
    }
}

extension IntervalTrigger {
    @available(*, unavailable, message: "use init(after:) for once and init(every:) for a repeat")
    public init(timeInterval: Double, repeats: Bool) { fatalError() }
}

extension CalendarTrigger {
    @available(*, unavailable, renamed: "init(matching:repeats:)")
    public init(dateMatching components: DateComponents, repeats: Bool) { fatalError() }
}

extension NoticeCategory {
    @available(*, unavailable, message: "use init(_:actions:reportsDismissal:)")
    public init(identifier: String, actions: [NoticeAction], intentIdentifiers: [String], options: [Never]) {
        fatalError()
    }
}

extension NoticeAction {
    @available(*, unavailable, message: "use init(_:title:), without options")
    public init(identifier: String, title: String, options: [Never]) { fatalError() }
}

extension NoticeResponse {
    @available(*, unavailable, renamed: "actionID")
    public var actionIdentifier: String { fatalError() }

    @available(*, unavailable, message: "use request, requestID and userInfo")
    public var notification: DeliveredNotice { fatalError() }
}

extension NoticeSound {
    @available(*, unavailable, renamed: "standard")
    public static var `default`: NoticeSound { fatalError() }
}
