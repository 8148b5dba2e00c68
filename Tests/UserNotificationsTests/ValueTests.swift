import BelfryTestSupport
import CoreLocation
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    /// Expects that two values made alike are equal, that their copies are, and that others differ.
    private func expectValue(
        _ make: () throws -> NSObject,
        unlike others: [NSObject],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (value, twin) = (try make(), try make())
        #expect(value == twin, sourceLocation: sourceLocation)
        #expect(value.hash == twin.hash, sourceLocation: sourceLocation)
        let copy = try #require((value as? any NSCopying)?.copy(with: nil) as? NSObject, sourceLocation: sourceLocation)
        #expect(copy == value, sourceLocation: sourceLocation)
        for other in others { #expect(value != other, sourceLocation: sourceLocation) }
    }

    private func content(
        _ change: (UNMutableNotificationContent) -> Void = { _ in }
    ) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent.titled("T")
        content.badge = 1
        content.sound = .default
        content.userInfo = ["count": 2, "who": "me"]
        change(content)
        return content
    }

    @Test("Contents and requests with the same values are equal, also what comes back of one that was added")
    func equalRequests() async throws {
        try expectValue(
            { content() },
            unlike: [
                content { $0.body = "B" }, content { $0.badge = 2 }, content { $0.sound = nil },
                content { $0.userInfo["count"] = 3 }, content { $0.userInfo["who"] = nil },
                content { $0.interruptionLevel = .critical }, content { $0.targetContentIdentifier = "target" },
            ]
        )
        let fixed = try #require(content().copy() as? UNNotificationContent)
        #expect(fixed == content() && content() == fixed && !(fixed is UNMutableNotificationContent))
        func request(
            _ content: UNNotificationContent,
            id: String = "a",
            after seconds: Double? = 60
        ) -> UNNotificationRequest {
            let trigger = seconds.map { UNTimeIntervalNotificationTrigger(timeInterval: $0, repeats: false) }
            return UNNotificationRequest(identifier: id, content: content, trigger: trigger)
        }
        let added = request(content())
        try expectValue(
            { request(content()) },
            unlike: [
                request(content(), id: "b"), request(content { $0.title = "U" }), request(content(), after: 90),
                request(content(), after: nil),
            ]
        )
        try await PortedWorld.run { world in
            try await world.center.add(added)
            #expect(await world.center.pendingNotificationRequests() == [added])
        }
    }

    @Test("So are triggers, attachments, sounds, actions and categories")
    func equalParts() throws {
        func interval(_ seconds: Double, repeats: Bool = false) -> UNNotificationTrigger {
            UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats)
        }
        func date(_ components: DateComponents) -> UNNotificationTrigger {
            UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        }
        func region(_ id: String, radius: Double = 200) -> UNNotificationTrigger {
            let center = CLLocationCoordinate2D(latitude: 48, longitude: 11)
            let circle = CLCircularRegion(center: center, radius: radius, identifier: id)
            return UNLocationNotificationTrigger(region: circle, repeats: false)
        }
        let eight = date(DateComponents(hour: 8))
        try expectValue({ interval(60) }, unlike: [interval(61), interval(60, repeats: true), eight])
        try expectValue(
            { date(DateComponents(hour: 8)) },
            unlike: [date(DateComponents(hour: 9)), date(DateComponents(hour: 8, quarter: 1))]
        )
        try expectValue({ region("office") }, unlike: [region("home"), region("office", radius: 300)])

        let folder = try TemporaryFolder()
        let picture = URL(fileURLWithPath: try folder.write("a.png", "picture"))
        try expectValue(
            { try UNNotificationAttachment(identifier: "a", url: picture) },
            unlike: [try UNNotificationAttachment(identifier: "b", url: picture)]
        )
        try expectValue({ UNNotificationSound(named: .init("bell")) }, unlike: [UNNotificationSound.default])

        func action(_ options: UNNotificationActionOptions = [], icon: String = "tea") -> UNNotificationAction {
            let icon = UNNotificationActionIcon(systemImageName: icon)
            return UNNotificationAction(identifier: "a", title: "A", options: options, icon: icon)
        }
        func reply(_ title: String) -> UNNotificationAction {
            UNTextInputNotificationAction(
                identifier: "a",
                title: "A",
                textInputButtonTitle: title,
                textInputPlaceholder: ""
            )
        }
        func category(_ action: UNNotificationAction) -> UNNotificationCategory {
            UNNotificationCategory(identifier: "c", actions: [action], intentIdentifiers: [])
        }
        let icon = UNNotificationActionIcon(systemImageName: "coffee")
        try expectValue({ UNNotificationActionIcon(systemImageName: "tea") }, unlike: [icon])
        try expectValue({ action() }, unlike: [action([.destructive]), action(icon: "coffee"), reply("Send")])
        try expectValue({ reply("Send") }, unlike: [reply("Post"), action()])
        try expectValue({ category(reply("Send")) }, unlike: [category(reply("Post")), category(action())])
    }
}
