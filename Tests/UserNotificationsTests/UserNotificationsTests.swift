import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import PortedApp
import Testing
import UserNotifications

// One center a program, as with Apple: the tests take turns.
@Suite("Apple's names", .serialized, .takesTurns, .timeLimit(.minutes(5)))
struct UserNotificationsTests {
    private static let start = PortedWorld.start

    private func run(
        _ body: @escaping @Sendable (UNUserNotificationCenter, RecorderBackend, ManualTriggerClock) async throws -> Void
    ) async throws {
        try await PortedWorld.run { try await body($0.center, $0.recorder, $0.clock) }
    }

    private static func content(_ title: String) -> UNMutableNotificationContent { .titled(title) }

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
