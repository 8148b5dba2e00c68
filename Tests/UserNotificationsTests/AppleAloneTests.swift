import Belfry
import BelfryRecorder
import BelfryTesting
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    @Test("What is Apple's alone compiles, and keeps its value in its object")
    func appleAlone() {
        let content = UNMutableNotificationContent.titled("T")
        content.launchImageName = "launch"
        content.targetContentIdentifier = "target"
        content.filterCriteria = "filter"
        content.summaryArgument = "who"
        content.summaryArgumentCount = 2
        let copy = UNNotificationRequest(identifier: "a", content: content, trigger: nil).content
        #expect(
            (copy.launchImageName, copy.targetContentIdentifier, copy.filterCriteria) == ("launch", "target", "filter")
        )
        #expect((copy.summaryArgument, copy.summaryArgumentCount) == ("who", 2))
        let options: UNNotificationCategoryOptions = [
            .allowInCarPlay, .hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle, .allowAnnouncement,
        ]
        let category = UNNotificationCategory(
            identifier: "c",
            actions: [],
            intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: "hidden",
            categorySummaryFormat: "%u more",
            options: options
        )
        #expect(category.options == [])
        #expect(options.rawValue == 30)
        let wishes: UNAuthorizationOptions = [
            .carPlay, .criticalAlert, .providesAppNotificationSettings, .provisional, .announcement, .timeSensitive,
        ]
        #expect(wishes.rawValue == 504)
        #expect(UNNotificationSound.criticalSoundNamed(.init("bell")) == UNNotificationSound(named: .init("bell")))
        #expect(
            UNNotificationSound.criticalSoundNamed(.init("bell"), withAudioVolume: 1)
                == UNNotificationSound.ringtoneSoundNamed(.init("bell"))
        )
        #expect(UNNotificationSound.defaultCriticalSound(withAudioVolume: 0.5) == UNNotificationSound.default)
        #expect(UNNotificationSound.defaultRingtone != UNNotificationSound.default)
        let text = NSString.localizedUserNotificationString(forKey: "%d cups", arguments: [2])
        #expect(text == "2 cups")
    }

    @Test("A button's icon reaches the backend; provisional permission asks nobody")
    func iconsAndProvisional() async throws {
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
            try await world.center.add(UNNotificationRequest(identifier: "a", content: content, trigger: nil))
            await world.recorder.waitForDeliveries(1)
            #expect(
                try world.recorder.expectDelivery(of: "a").content.actions.map(\.icon) == ["call-start", "mail-reply"]
            )
            try await world.belfry.setAuthorization(.notDetermined)
            #expect(try await world.center.requestAuthorization(options: [.alert, .provisional]))
            #expect(await world.center.notificationSettings().authorizationStatus == .provisional)
        }
    }
}
