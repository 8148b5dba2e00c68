import Belfry
import BelfryRecorder
import BelfrySQLite
import BelfryTestSupport
import BelfryTesting
import CoreLocation
import Foundation
import PortedApp
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    @Test("Settings say what the user allows and what the desktop has")
    func settings() async throws {
        let capabilities = DeliveryCapabilities.everything.without(.sound, .persistence, .urgency)
        try await PortedWorld.run(offering: capabilities) { world in
            let settings = await world.center.notificationSettings()
            #expect(settings.authorizationStatus == .authorized)
            #expect(settings.alertSetting == .enabled && settings.alertStyle == .banner)
            #expect(settings.badgeSetting == .enabled)
            #expect(settings.soundSetting == .notSupported)
            #expect(settings.notificationCenterSetting == .notSupported)
            #expect(settings.criticalAlertSetting == .notSupported && settings.timeSensitiveSetting == .notSupported)
            #expect(settings.carPlaySetting == .notSupported && settings.showPreviewsSetting == .always)
            #expect(!settings.providesAppNotificationSettings && !world.center.supportsContentExtensions)
            try await world.belfry.setAuthorization(.denied)
            let denied = await withCheckedContinuation { done in
                world.center.getNotificationSettings { done.resume(returning: $0) }
            }
            #expect(denied.authorizationStatus == .denied)
            #expect(denied.alertSetting == .disabled && denied.alertStyle == .none)
            try await world.belfry.setAuthorization(.provisional)
            let provisional = await world.center.notificationSettings()
            #expect(provisional.authorizationStatus == .provisional && provisional.alertStyle == .none)
        }
    }

    @Test("Attachments are files of the kinds that Apple takes, and reach the backend")
    func attachments() async throws {
        let folder = try TemporaryFolder()
        let picture = URL(fileURLWithPath: try folder.write("map.PNG", "png"))
        let unknown = URL(fileURLWithPath: try folder.write("notes", "text"))
        try await PortedWorld.run { world in
            let content = UNMutableNotificationContent.titled("Map")
            let hint = [UNNotificationAttachmentOptionsTypeHintKey: "image/jpeg"]
            content.attachments = [
                try UNNotificationAttachment(identifier: "map", url: picture),
                try UNNotificationAttachment(identifier: "", url: unknown, options: hint),
            ]
            #expect(content.attachments.map(\.type) == ["public.png", "public.jpeg"])
            #expect(!content.attachments[1].identifier.isEmpty)
            try await world.center.add(UNNotificationRequest(identifier: "a", content: content, trigger: nil))
            await world.recorder.waitForDeliveries(1)
            let shown = try world.recorder.expectDelivery(of: "a").content
            #expect(shown.attachments.map(\.path) == [picture.path, unknown.path])
            #expect(shown.attachments.map(\.mediaType) == ["image/png", "image/jpeg"])
            let back = try #require(await world.center.deliveredNotifications().first).request.content.attachments
            #expect(back.map(\.identifier) == content.attachments.map(\.identifier))
            #expect(back.map(\.url) == [picture, unknown])
            #expect(back.map(\.type) == ["public.png", "public.jpeg"])
        }
        for (url, code) in [
            (URL(fileURLWithPath: folder.path("gone.png")), UNError.Code.attachmentInvalidURL),
            (URL(string: "https://example.org/a.png")!, .attachmentInvalidURL), (unknown, .attachmentUnrecognizedType),
        ] {
            let error = #expect(throws: UNError.self) { try UNNotificationAttachment(identifier: "x", url: url) }
            #expect(error?.code == code)
        }
    }

    @Test("A ported app is reminded where it comes into a region, and the request can be read back")
    func region() async throws {
        try await PortedWorld.run { world in
            world.position.report(latitude: 48, longitude: 11.4, accuracy: 5, at: world.clock.date)
            let failure = await withCheckedContinuation { done in
                Places().remind(at: 48, 11.5) { done.resume(returning: $0) }
            }
            #expect(failure == nil)
            let request = try #require(await world.center.pendingNotificationRequests().first)
            let trigger = try #require(request.trigger as? UNLocationNotificationTrigger)
            let region = try #require(trigger.region as? CLCircularRegion)
            #expect((region.center.latitude, region.center.longitude, region.radius) == (48, 11.5, 200))
            #expect(region.notifyOnEntry && !region.notifyOnExit && !trigger.repeats)
            try await world.clock.settle()
            #expect(world.recorder.deliveries.isEmpty)
            world.position.report(latitude: 48, longitude: 11.5, accuracy: 5, at: world.clock.date)
            await world.recorder.waitForDeliveries(1)
            #expect(world.recorder.deliveries.map(\.requestID) == ["shop"])
        }
    }

    @Test("A region that is none is an error of add; a trigger keeps the region as it was")
    func badRegions() async throws {
        try await PortedWorld.run { world in
            let place = CLLocationCoordinate2D(latitude: 48, longitude: 11.5)
            let silent = CLCircularRegion(center: place, radius: 200, identifier: "silent")
            silent.notifyOnEntry = false
            silent.notifyOnExit = false
            let nowhere = CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: 91, longitude: 0),
                radius: 200,
                identifier: "nowhere"
            )
            #expect(CLLocationCoordinate2DIsValid(place) && !CLLocationCoordinate2DIsValid(nowhere.center))
            for region in [silent, nowhere, CLCircularRegion(center: place, radius: -1, identifier: "small")] {
                let request = UNNotificationRequest(
                    identifier: region.identifier,
                    content: UNMutableNotificationContent.titled("T"),
                    trigger: UNLocationNotificationTrigger(region: region, repeats: true)
                )
                let error = await #expect(throws: NoticeError.self) { try await world.center.add(request) }
                #expect(error?.code == .invalidRegion, "\(region.identifier)")
            }
            silent.notifyOnExit = true
            let trigger = UNLocationNotificationTrigger(region: silent, repeats: true)
            silent.notifyOnEntry = true
            #expect(!trigger.region.notifyOnEntry && trigger.region.notifyOnExit)
        }
    }

    @Test("What was added through Apple's names is pending again in the next life of the program, and fires")
    func durable() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store")
        let store = try await SQLiteRequestStore.open(in: path)
        try await PortedWorld.run(store: .sqlite(store)) { world in
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 300, repeats: false)
            let content = UNMutableNotificationContent.titled("Tea")
            content.userInfo = ["cup": 2]
            try await world.center.add(UNNotificationRequest(identifier: "tea", content: content, trigger: trigger))
        }
        try await store.close()
        try await PortedWorld.run(store: .sqlite(try await SQLiteRequestStore.open(in: path))) { world in
            let request = try #require(await world.center.pendingNotificationRequests().first)
            #expect(request.identifier == "tea" && request.content.userInfo["cup"] as? Int == 2)
            #expect((request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 300)
            try await world.clock.advance(by: .seconds(300))
            #expect(world.recorder.deliveries.map(\.requestID) == ["tea"])
        }
    }
}
