import Belfry
import BelfryRecorder
import BelfryTesting
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    private final class Collector: NSObject, UNUserNotificationCenterDelegate {
        var responses: [UNNotificationResponse] = []

        func userNotificationCenter(
            _ center: UNUserNotificationCenter,
            didReceive response: UNNotificationResponse
        ) async { responses.append(response) }
    }

    private static let category = UNNotificationCategory(
        identifier: "task",
        actions: [
            UNNotificationAction(identifier: "done", title: "Done"),
            UNTextInputNotificationAction(
                identifier: "reply",
                title: "Reply",
                textInputButtonTitle: "Send",
                textInputPlaceholder: "Text"
            ),
        ],
        intentIdentifiers: [],
        options: .customDismissAction
    )

    @Test("A click, a button, a text and a dismissal reach the delegate under Apple's identifiers")
    @MainActor
    func responses() async throws {
        let delegate = Collector()
        UNUserNotificationCenter.current().delegate = delegate
        try await PortedWorld.run { world in
            world.center.setNotificationCategories([Self.category])
            let ways: [(String, SimulatedResponse)] = [
                ("click", .open), ("button", .action("done")), ("text", .reply("Hello")), ("closed", .dismiss),
            ]
            for (id, way) in ways {
                let content = UNMutableNotificationContent.titled(id)
                content.categoryIdentifier = "task"
                content.userInfo = ["number": 7]
                let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
                try await world.add(id, content, trigger)
                try await world.clock.advance(by: .seconds(60))
                try await world.clock.advance(by: .seconds(5))
                try world.recorder.simulate(way, on: id)
                try await world.clock.settle()
            }
        }
        let responses: [UNNotificationResponse] = delegate.responses
        let notices: [UNNotification] = responses.map(\.notification)
        #expect(notices.map(\.request.identifier) == ["click", "button", "text", "closed"])
        #expect(
            responses.map(\.actionIdentifier) == [
                UNNotificationDefaultActionIdentifier, "done", "reply", UNNotificationDismissActionIdentifier,
            ]
        )
        #expect(UNNotificationDefaultActionIdentifier == "com.apple.UNNotificationDefaultActionIdentifier")
        #expect(UNNotificationDismissActionIdentifier == "com.apple.UNNotificationDismissActionIdentifier")
        #expect(responses.compactMap { ($0 as? UNTextInputNotificationResponse)?.userText } == ["Hello"])
        for (number, notice) in notices.enumerated() {
            let content = notice.request.content
            #expect(content.title == notice.request.identifier && content.userInfo["number"] as? Int == 7)
            #expect((notice.request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 60)
            // When it was delivered: the user responded 5 s later.
            #expect(notice.date.timeIntervalSince(PortedWorld.start) == Double(65 * number + 60))
        }
    }

    @Test("Categories and their actions reach the server, and come back as they were set")
    func categories() async throws {
        try await PortedWorld.run { world in
            world.center.setNotificationCategories([Self.category])
            let content = UNMutableNotificationContent.titled("T")
            content.categoryIdentifier = Self.category.identifier
            let shown = try await world.shown("a", content).actions
            #expect(shown.map(\.id) == ["done", "reply"] && shown.map(\.title) == ["Done", "Reply"])
            #expect(shown[1].kind == .reply(placeholder: "Text"))
            let back = try #require(await world.center.notificationCategories().first)
            #expect(back == Self.category && back.options == .customDismissAction)
            #expect(back.actions.map(\.identifier) == ["done", "reply"])
            #expect(back.actions.map(\.title) == ["Done", "Reply"])
            let reply = try #require(back.actions[1] as? UNTextInputNotificationAction)
            #expect(reply.textInputPlaceholder == "Text" && reply.textInputButtonTitle == "Send")
            // As another run of the program finds them: what Belfry stores of them.
            try await world.belfry.setCategories([NoticeCategory("old", actions: [NoticeAction("yes", title: "Yes")])])
            let old = try #require(await world.center.notificationCategories().first)
            #expect(old.identifier == "old" && old.options == [] && old.actions.map(\.title) == ["Yes"])
        }
    }

    private static func version(_ title: String) -> UNNotificationCategory {
        let done = UNNotificationAction(identifier: "done", title: title)
        return UNNotificationCategory(identifier: "c", actions: [done], intentIdentifiers: [])
    }

    @Test("A changed category that is inserted into the set replaces the former one") func changedCategory()
        async throws
    {
        try await PortedWorld.run { world in
            let other = UNNotificationCategory(identifier: "other", actions: [], intentIdentifiers: [])
            world.center.setNotificationCategories([Self.version("Done"), other])
            for title in ["Finished", "Over"] {
                var categories = await world.center.notificationCategories()
                categories.insert(Self.version(title))
                #expect(categories.count == 3)
                world.center.setNotificationCategories(categories)
                let current = await world.center.notificationCategories()
                #expect(current == [Self.version(title), other])
            }
        }
    }

    @Test("What of categories and actions is Apple's alone comes back, and changes nothing that is shown")
    func appleAloneInCategories() async throws {
        try await PortedWorld.run { world in
            let flags: UNNotificationActionOptions = [.authenticationRequired, .destructive, .foreground]
            let options: UNNotificationCategoryOptions = [
                .allowInCarPlay, .hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle, .allowAnnouncement,
            ]
            let category = UNNotificationCategory(
                identifier: "c",
                actions: [UNNotificationAction(identifier: "done", title: "Done", options: flags)],
                intentIdentifiers: ["intent"],
                hiddenPreviewsBodyPlaceholder: "hidden",
                categorySummaryFormat: "%u more",
                options: options
            )
            world.center.setNotificationCategories([category])
            let back = try #require(await world.center.notificationCategories().first)
            #expect(back.options == options && back.actions.map(\.options) == [flags])
            #expect(back.intentIdentifiers == ["intent"] && back.hiddenPreviewsBodyPlaceholder == "hidden")
            #expect(back.categorySummaryFormat == "%u more")
            let plain = NoticeCategory("c", actions: [NoticeAction("done", title: "Done")])
            #expect(try await world.belfry.categories() == [plain])
            #expect(UNNotificationCategory(identifier: "c", actions: back.actions, intentIdentifiers: []) != category)
        }
    }

    @Test("A button's icon reaches the backend")
    func icons() async throws {
        try await PortedWorld.run { world in
            let icon = UNNotificationActionIcon(systemImageName: "call-start")
            let actions = [
                UNNotificationAction(identifier: "call", title: "Call", options: [], icon: icon),
                UNTextInputNotificationAction(
                    identifier: "reply",
                    title: "Reply",
                    options: [],
                    icon: UNNotificationActionIcon(templateImageName: "mail-reply"),
                    textInputButtonTitle: "Send",
                    textInputPlaceholder: ""
                ),
            ]
            #expect(actions.map { $0.icon != nil } == [true, true])
            world.center.setNotificationCategories([
                UNNotificationCategory(identifier: "c", actions: actions, intentIdentifiers: [])
            ])
            let content = UNMutableNotificationContent.titled("T")
            content.categoryIdentifier = "c"
            let shown = try await world.shown("a", content)
            #expect(shown.actions.map(\.icon) == ["call-start", "mail-reply"])
        }
    }
}
