import Belfry
import BelfryRecorder
import BelfryTesting
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    @Test("Settings say what the desktop has; what it has not, or is Apple's alone, is not supported")
    func settings() async throws {
        try await PortedWorld.run { world in
            let settings: UNNotificationSettings = await world.center.notificationSettings()
            #expect(settings.alertSetting == .enabled && settings.alertStyle == .banner)
            #expect(settings.soundSetting == .enabled && settings.badgeSetting == .enabled)
            #expect(settings.notificationCenterSetting == .enabled && settings.criticalAlertSetting == .enabled)
            #expect(settings.timeSensitiveSetting == .enabled)
            let none: UNNotificationSetting = .notSupported
            #expect(settings.lockScreenSetting == none && settings.carPlaySetting == none)
            #expect(settings.announcementSetting == none && settings.scheduledDeliverySetting == none)
            #expect(settings.directMessagesSetting == none && settings.showPreviewsSetting == .always)
            #expect(!settings.providesAppNotificationSettings && !world.center.supportsContentExtensions)
        }
        let poor = DeliveryCapabilities.everything.without(.sound, .badge, .persistence, .urgency)
        try await PortedWorld.run(offering: poor) { world in
            let settings = await world.center.notificationSettings()
            #expect(settings.alertSetting == .enabled)
            #expect(settings.soundSetting == .notSupported && settings.badgeSetting == .notSupported)
            #expect(settings.notificationCenterSetting == .notSupported)
            #expect(settings.criticalAlertSetting == .notSupported && settings.timeSensitiveSetting == .notSupported)
        }
    }

    @Test("Settings say what the user allows, of the app and of its desktop")
    func permission() async throws {
        let cases: [(AuthorizationStatus, DesktopPermission, UNAuthorizationStatus, UNAlertStyle)] = [
            (.authorized, .on, .authorized, .banner), (.denied, .on, .denied, .none),
            (.provisional, .on, .provisional, .none), (.notDetermined, .on, .notDetermined, .banner),
            (.authorized, .off, .denied, .none), (.authorized, .quiet, .provisional, .none),
        ]
        try await PortedWorld.run(prompt: ScriptedPrompt(.allowed)) { world in
            for (status, desktop, apple, style) in cases {
                world.dock.permission = desktop
                try await world.belfry.setAuthorization(status)
                let settings = await world.center.notificationSettings()
                #expect(settings.authorizationStatus == apple, "\(status), \(desktop)")
                #expect(settings.alertStyle == style, "\(status), \(desktop)")
                #expect(settings.alertSetting == (style == .banner ? .enabled : .disabled), "\(status), \(desktop)")
                // Without permission a notice is silent; the rest is off only if nothing is shown.
                #expect(settings.soundSetting == (apple == .authorized ? .enabled : .disabled), "\(status), \(desktop)")
                let others = [
                    settings.badgeSetting, settings.notificationCenterSetting, settings.criticalAlertSetting,
                    settings.timeSensitiveSetting,
                ]
                let expected: UNNotificationSetting = apple == .denied ? .disabled : .enabled
                #expect(others.allSatisfy { $0 == expected }, "\(status), \(desktop)")
            }
        }
    }

    @Test("The numbers behind cases and options are Apple's: an app may have stored them")
    func numbers() {
        let statuses: [UNAuthorizationStatus] = [.notDetermined, .denied, .authorized, .provisional, .ephemeral]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
        let settings: [UNNotificationSetting] = [.notSupported, .disabled, .enabled]
        #expect(settings.map(\.rawValue) == [0, 1, 2])
        let styles: [UNAlertStyle] = [.none, .banner, .alert]
        #expect(styles.map(\.rawValue) == [0, 1, 2])
        let previews: [UNShowPreviewsSetting] = [.always, .whenAuthenticated, .never]
        #expect(previews.map(\.rawValue) == [0, 1, 2])
        let levels: [UNNotificationInterruptionLevel] = [.passive, .active, .timeSensitive, .critical]
        #expect(levels.map(\.rawValue) == [0, 1, 2, 3])
        let wishes: [UNAuthorizationOptions] = [
            .badge, .sound, .alert, .carPlay, .criticalAlert, .providesAppNotificationSettings, .provisional,
            .announcement, .timeSensitive,
        ]
        #expect(wishes.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128, 256])
        let presentations: [UNNotificationPresentationOptions] = [.badge, .sound, .alert, .list, .banner]
        #expect(presentations.map(\.rawValue) == [1, 2, 4, 8, 16])
        let categories: [UNNotificationCategoryOptions] = [
            .customDismissAction, .allowInCarPlay, .hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle,
            .allowAnnouncement,
        ]
        #expect(categories.map(\.rawValue) == [1, 2, 4, 8, 16])
        let actions: [UNNotificationActionOptions] = [.authenticationRequired, .destructive, .foreground]
        #expect(actions.map(\.rawValue) == [1, 2, 4])
    }
}
