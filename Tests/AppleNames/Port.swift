// swift-format-ignore-file
// What somebody types who comes from Apple's framework. Tests/AppleNames/run compiles it: each line must have its
// error, and no other.
import Belfry
import FoundationEssentials

func permission(_ center: NoticeCenter) async throws {
    let same: UNUserNotificationCenter? = nil // expected-error {{'UNUserNotificationCenter' has been renamed to 'NoticeCenter'}}
    _ = same
    let delegate: (any UNUserNotificationCenterDelegate)? = nil // expected-error {{'UNUserNotificationCenterDelegate' has been renamed to 'NoticeCenterDelegate'}}
    _ = delegate
    let options: UNAuthorizationOptions = .alert // expected-error {{'UNAuthorizationOptions' is unavailable: one permission covers everything: requestAuthorization() takes no options}}
    _ = options
    _ = NoticeCenter.current() // expected-error {{'current()' is unavailable: there is no shared center: make one with NoticeCenter(app:backend:) and run it}}
    _ = try await center.requestAuthorization(options: [.alert, .sound]) // expected-error {{'requestAuthorization(options:)' has been renamed to 'requestAuthorization()': one permission covers everything}}
    _ = await center.notificationSettings() // expected-error {{'notificationSettings()' is unavailable: use authorizationStatus(), capabilities() and desktopPermission()}}
    try await center.setBadgeCount(1) // expected-error {{'setBadgeCount' has been renamed to 'setBadge(_:)'}}
}

func scheduling(_ center: NoticeCenter) async {
    let content: UNMutableNotificationContent? = nil // expected-error {{'UNMutableNotificationContent' has been renamed to 'NoticeContent'}}
    let shown: UNNotificationContent? = nil // expected-error {{'UNNotificationContent' has been renamed to 'NoticeContent'}}
    let added: UNNotificationRequest? = nil // expected-error {{'UNNotificationRequest' has been renamed to 'NoticeRequest'}}
    let due: (any UNNotificationTrigger)? = nil // expected-error {{'UNNotificationTrigger' has been renamed to 'NoticeTrigger'}}
    _ = NoticeContent() // expected-error {{'init()' has been renamed to 'init(title:)': a notice has a title}}
    var notice = NoticeContent(title: "Tea")
    notice.categoryIdentifier = "tea" // expected-error {{'categoryIdentifier' has been renamed to 'category'}}
    notice.threadIdentifier = "tea" // expected-error {{'threadIdentifier' has been renamed to 'thread'}}
    notice.interruptionLevel = .active // expected-error {{'interruptionLevel' has been renamed to 'level'}}
    notice.relevanceScore = 1 // expected-error {{'relevanceScore' has been renamed to 'relevance'}}
    notice.sound = .default // expected-error {{'default' has been renamed to 'standard'}}
    let interval: UNTimeIntervalNotificationTrigger? = nil // expected-error {{'UNTimeIntervalNotificationTrigger' has been renamed to 'IntervalTrigger'}}
    _ = IntervalTrigger(timeInterval: 60, repeats: true) // expected-error {{'init(timeInterval:repeats:)' is unavailable: use init(after:) for once and init(every:) for a repeat}}
    _ = CalendarTrigger(dateMatching: DateComponents(hour: 8), repeats: true) // expected-error {{'init(dateMatching:repeats:)' has been renamed to 'init(matching:repeats:)'}}
    let request = NoticeRequest(identifier: "tea", content: notice, trigger: nil) // expected-error {{'init(identifier:content:trigger:)' has been renamed to 'init(id:content:trigger:)'}}
    _ = request.identifier // expected-error {{'identifier' has been renamed to 'id'}}
    center.add(request, withCompletionHandler: nil) // expected-error {{'add(_:withCompletionHandler:)' has been renamed to 'add(_:)': it is async and throws}}
    _ = await center.pendingNotificationRequests() // expected-error {{'pendingNotificationRequests()' has been renamed to 'pending()'}}
    center.getPendingNotificationRequests { _ in } // expected-error {{'getPendingNotificationRequests(completionHandler:)' has been renamed to 'pending()': it is async}}
    center.removePendingNotificationRequests(withIdentifiers: ["tea"]) // expected-error {{'removePendingNotificationRequests(withIdentifiers:)' has been renamed to 'remove(_:)'}}
    center.removeAllPendingNotificationRequests() // expected-error {{'removeAllPendingNotificationRequests()' has been renamed to 'removeAll()'}}
    _ = await center.deliveredNotifications() // expected-error {{'deliveredNotifications()' has been renamed to 'delivered()'}}
    center.getDeliveredNotifications { _ in } // expected-error {{'getDeliveredNotifications(completionHandler:)' has been renamed to 'delivered()': it is async}}
    center.removeDeliveredNotifications(withIdentifiers: ["tea"]) // expected-error {{'removeDeliveredNotifications(withIdentifiers:)' has been renamed to 'removeDelivered(_:)'}}
    center.removeAllDeliveredNotifications() // expected-error {{'removeAllDeliveredNotifications()' has been renamed to 'removeAllDelivered()'}}
    _ = (content, shown, added, due, interval)
}

func categories(_ center: NoticeCenter) async {
    center.setNotificationCategories([]) // expected-error {{'setNotificationCategories' has been renamed to 'setCategories(_:)'}}
    _ = await center.notificationCategories() // expected-error {{'notificationCategories()' has been renamed to 'categories()'}}
    _ = NoticeAction(identifier: "read", title: "Read", options: []) // expected-error {{'init(identifier:title:options:)' is unavailable: use init(_:title:), without options}}
    _ = NoticeCategory(identifier: "c", actions: [], intentIdentifiers: [], options: []) // expected-error {{'init(identifier:actions:intentIdentifiers:options:)' is unavailable: use init(_:actions:reportsDismissal:)}}
    let action: UNNotificationAction? = nil // expected-error {{'UNNotificationAction' has been renamed to 'NoticeAction'}}
    let reply: UNTextInputNotificationAction? = nil // expected-error {{'UNTextInputNotificationAction' is unavailable: a NoticeAction of the kind .reply(placeholder:)}}
    let category: UNNotificationCategory? = nil // expected-error {{'UNNotificationCategory' has been renamed to 'NoticeCategory'}}
    let trigger: UNCalendarNotificationTrigger? = nil // expected-error {{'UNCalendarNotificationTrigger' has been renamed to 'CalendarTrigger'}}
    let place: UNLocationNotificationTrigger? = nil // expected-error {{'UNLocationNotificationTrigger' has been renamed to 'LocationTrigger'}}
    let region: CLCircularRegion? = nil // expected-error {{'CLCircularRegion' has been renamed to 'CircularRegion'}}
    let attachment: UNNotificationAttachment? = nil // expected-error {{'UNNotificationAttachment' has been renamed to 'NoticeAttachment'}}
    let level: UNNotificationInterruptionLevel? = nil // expected-error {{'UNNotificationInterruptionLevel' has been renamed to 'InterruptionLevel'}}
    let sound: UNNotificationSound? = nil // expected-error {{'UNNotificationSound' has been renamed to 'NoticeSound'}}
    let status: UNAuthorizationStatus? = nil // expected-error {{'UNAuthorizationStatus' has been renamed to 'AuthorizationStatus'}}
    let delivered: UNNotification? = nil // expected-error {{'UNNotification' has been renamed to 'DeliveredNotice'}}
    center.delegate = nil // expected-error {{'delegate' is unavailable: use setDelegate(_:), which keeps the delegate alive}}
    let error: UNError? = nil // expected-error {{'UNError' has been renamed to 'NoticeError'}}
    _ = (action, reply, category, trigger, place, region, attachment, level, error, sound, status, delivered)
}

final class Handler {
    func received(_ response: UNNotificationResponse) { // expected-error {{'UNNotificationResponse' has been renamed to 'NoticeResponse'}}
    }

    func handled(_ response: NoticeResponse) {
        _ = response.actionIdentifier // expected-error {{'actionIdentifier' has been renamed to 'actionID'}}
        _ = response.notification // expected-error {{'notification' is unavailable: use request, requestID and userInfo}}
    }
}
