import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import PortedApp
import Testing
import UserNotifications

// One center a program, as with Apple: the tests take turns.
@Suite("Apple's names", .serialized, .takesTurns, .timeLimit(.minutes(1)))
struct UserNotificationsTests {
    private static let start = PortedWorld.start

    private func run(
        _ body: @escaping @Sendable (UNUserNotificationCenter, RecorderBackend, ManualTriggerClock) async throws -> Void
    ) async throws {
        try await PortedWorld.run { try await body($0.center, $0.recorder, $0.clock) }
    }

    private static func content(_ title: String) -> UNMutableNotificationContent { .titled(title) }

    @Test("Each part of a content reaches the backend; no sound is silent")
    func contents() async throws {
        try await run { center, recorder, _ in
            let content = Self.content("Title")
            content.subtitle = "Sub"
            content.body = "Body"
            content.badge = 3
            content.userInfo = ["task": "milk", "count": 2, "done": false]
            content.threadIdentifier = "thread"
            content.interruptionLevel = .critical
            content.relevanceScore = 0.5
            try await center.add(UNNotificationRequest(identifier: "a", content: content, trigger: nil))
            await recorder.waitForDeliveries(1)
            let shown = try recorder.expectDelivery(of: "a").content
            #expect(shown.title == "Title")
            #expect(shown.badge == 3)
            #expect(shown.sound == .silent)
            #expect(shown.level == .critical)
            #expect(shown.userInfo == ["task": "milk", "count": 2, "done": false])
            let back = try #require(await center.deliveredNotifications().first)
            #expect(back.request.identifier == "a")
            #expect(back.request.content.userInfo["count"] as? Int == 2)
            #expect(back.request.content.sound == nil)
        }
    }

    @Test("A value that can't be stored in userInfo is an error that names it")
    func unstorable() async throws {
        try await run { center, _, _ in
            let content = Self.content("Title")
            content.userInfo = ["when": Date()]
            let error = await #expect(throws: UNError.self) {
                try await center.add(UNNotificationRequest(identifier: "a", content: content, trigger: nil))
            }
            #expect(error?.code == .badgeInputInvalid)
            #expect(error?.description.contains("userInfo[when]") == true)
        }
    }

    @Test("A date that has passed is no error and never fires")
    func pastDate() async throws {
        try await run { center, recorder, clock in
            let trigger = UNCalendarNotificationTrigger(dateMatching: DateComponents(year: 2020), repeats: false)
            #expect(trigger.nextTriggerDate() == nil)
            try await center.add(
                UNNotificationRequest(identifier: "a", content: Self.content("Past"), trigger: trigger)
            )
            try await clock.advance(by: .seconds(3_600))
            #expect(recorder.deliveries.isEmpty)
            #expect(await center.pendingNotificationRequests().isEmpty)
        }
    }

    @Test("Pending requests come back with their triggers and can be removed")
    func pending() async throws {
        try await run { center, _, _ in
            let noon = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 12), repeats: true)
            let soon = UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: false)
            for (id, trigger) in [("noon", noon), ("soon", soon)] as [(String, UNNotificationTrigger)] {
                try await center.add(
                    UNNotificationRequest(identifier: id, content: Self.content(id), trigger: trigger)
                )
            }
            let pending = await center.pendingNotificationRequests()
            #expect(pending.map(\.identifier) == ["soon", "noon"])
            #expect((pending[0].trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 90)
            #expect((pending[1].trigger as? UNCalendarNotificationTrigger)?.dateComponents.hour == 12)
            center.removePendingNotificationRequests(withIdentifiers: ["soon"])
            #expect(await center.pendingNotificationRequests().map(\.identifier) == ["noon"])
            center.removeAllPendingNotificationRequests()
            #expect(await center.pendingNotificationRequests().isEmpty)
        }
    }

    @Test("Categories come back as they were set")
    func categories() async throws {
        try await run { center, _, _ in
            let reply = UNTextInputNotificationAction(
                identifier: "reply",
                title: "Reply",
                textInputButtonTitle: "Send",
                textInputPlaceholder: "Text"
            )
            let category = UNNotificationCategory(
                identifier: "task",
                actions: [UNNotificationAction(identifier: "done", title: "Done"), reply],
                intentIdentifiers: [],
                options: .customDismissAction
            )
            center.setNotificationCategories([category])
            let back = try #require(await center.notificationCategories().first)
            #expect(back == category)
            #expect(back.actions.map(\.identifier) == ["done", "reply"])
            #expect((back.actions[1] as? UNTextInputNotificationAction)?.textInputPlaceholder == "Text")
        }
    }

    @Test("What the delegate doesn't present is not shown, and a response reaches it")
    func delegate() async throws {
        try await run { center, recorder, clock in
            let delegate = PickyDelegate()
            center.delegate = delegate
            for id in ["hidden", "quiet"] {
                let content = Self.content(id)
                content.sound = .default
                try await center.add(UNNotificationRequest(identifier: id, content: content, trigger: nil))
            }
            await recorder.waitForDeliveries(1)
            try await clock.settle()
            #expect(recorder.deliveries.map(\.requestID) == ["quiet"])
            #expect(try recorder.expectDelivery(of: "quiet").content.sound == .silent)
            try recorder.simulate(.open, on: "quiet")
            try await clock.settle()
            #expect(delegate.received == ["quiet: \(UNNotificationDefaultActionIdentifier)"])
        }
    }

    @Test("A ported app nags until the user responds")
    func portedNagging() async throws {
        try await run { center, recorder, clock in
            let app = Reminders()
            center.delegate = app
            app.nag("tea", about: "Tea")
            #expect(await center.pendingNotificationRequests().map(\.identifier) == ["tea"])
            await recorder.waitForDeliveries(1)
            try await clock.advance(by: .seconds(300))
            #expect(recorder.deliveries(of: "tea").count == 2)
            try recorder.simulate(.open, on: "tea")
            try await clock.settle()
            // The app's own calls stand in line before these.
            _ = await center.notificationCategories()
            #expect(await center.pendingNotificationRequests().isEmpty)
        }
    }

    @Test("A ported app plans ten by components, and a response to one removes the rest")
    func portedPlan() async throws {
        try await run { center, recorder, clock in
            let app = Reminders()
            center.delegate = app
            app.plan("ten", content: Self.content("Ten"), from: Self.start.addingTimeInterval(60))
            // It adds them when it has the list: the second look stands behind that.
            _ = await center.notificationCategories()
            #expect(await center.pendingNotificationRequests().count == 10)
            try await clock.advance(by: .seconds(60))
            #expect(recorder.deliveries.map(\.requestID) == ["ten@0"])
            try recorder.simulate(.open, on: "ten@0")
            try await clock.settle()
            _ = await center.notificationCategories()
            #expect(await center.pendingNotificationRequests().isEmpty)
        }
    }
}

private final class PickyDelegate: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
    var received: [String] = []

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        notification.request.identifier == "hidden" ? [] : [.banner, .list]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        received.append("\(response.notification.request.identifier): \(response.actionIdentifier)")
    }
}
