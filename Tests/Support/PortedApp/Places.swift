// As it is written for Apple's framework.
import CoreLocation
import UserNotifications

public final class Places {
    public init() {}

    /// One notice when the user comes to a shop.
    public func remind(at latitude: Double, _ longitude: Double, done: @escaping @Sendable ((any Error)?) -> Void) {
        let center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        let region = CLCircularRegion(center: center, radius: 200.0, identifier: "Shop")
        region.notifyOnEntry = true
        region.notifyOnExit = false
        let content = UNMutableNotificationContent()
        content.title = "Buy milk"
        let trigger = UNLocationNotificationTrigger(region: region, repeats: false)
        let request = UNNotificationRequest(identifier: "shop", content: content, trigger: trigger)
        UNUserNotificationCenter.current().add(request, withCompletionHandler: done)
    }
}
