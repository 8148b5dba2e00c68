// An app as it is written for Apple's framework: it imports nothing else, and knows nothing of Belfry.
import UserNotifications

public final class Reminders: NSObject, UNUserNotificationCenterDelegate {
    let center = UNUserNotificationCenter.current()

    public override init() {}

    /// One now, and again every five minutes.
    public func nag(_ id: String, about title: String) {
        let content = UNMutableNotificationContent()
        content.title = title
        content.sound = .default
        let again = UNTimeIntervalNotificationTrigger(timeInterval: 5 * 60, repeats: true)
        for trigger in [nil, again] {
            center.add(UNNotificationRequest(identifier: id, content: content, trigger: trigger)) { error in
                if let error { print(error) }
            }
        }
    }

    /// Ten, five minutes apart, as far as there is room among 64.
    public func plan(_ id: String, content: UNMutableNotificationContent, from start: Date) {
        content.threadIdentifier = id
        center.getPendingNotificationRequests { requests in
            for number in 0..<min(64 - requests.count, 10) {
                let date = start.addingTimeInterval(Double(number) * 300)
                var fields = Calendar.current.dateComponents(in: .current, from: date)
                fields.quarter = nil
                let request = UNNotificationRequest(
                    identifier: "\(id)@\(number)",
                    content: content,
                    trigger: UNCalendarNotificationTrigger(dateMatching: fields, repeats: false)
                )
                self.center.add(request) { error in
                    if let error { print(error) }
                }
            }
        }
    }

    /// A response ends the rest.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let id = response.notification.request.identifier.split(separator: "@").first!
        center.getPendingNotificationRequests { requests in
            let rest = requests.map(\.identifier).filter { $0.starts(with: id) }
            center.removePendingNotificationRequests(withIdentifiers: rest)
        }
        completionHandler()
    }
}
