import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import CoreLocation
import Foundation
import PortedApp
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
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
            let shown = try await world.shown("a", content)
            #expect(shown.attachments.map(\.path) == [picture.path, unknown.path])
            #expect(shown.attachments.map(\.mediaType) == ["image/png", "image/jpeg"])
            let back = try await world.delivered("a").request.content.attachments
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
            world.position.report(latitude: 48, longitude: 11.4, accuracy: 5, date: world.clock.date)
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
            world.position.report(latitude: 48, longitude: 11.5, accuracy: 5, date: world.clock.date)
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
            let small = CLCircularRegion(center: place, radius: -1, identifier: "small")
            let beacon = CLBeaconRegion(uuid: UUID(), identifier: "beacon")
            for region in [silent, nowhere, small, beacon] as [CLRegion] {
                let request = UNNotificationRequest(
                    identifier: region.identifier,
                    content: UNMutableNotificationContent.titled("T"),
                    trigger: UNLocationNotificationTrigger(region: region, repeats: true)
                )
                let error = await #expect(throws: NoticeError.self) { try await world.center.add(request) }
                #expect(error?.code == .invalidRegion, "\(region.identifier)")
                guard region === silent else { continue }
                #expect(error?.message.contains("notifyOnEntry") == true, "\(String(describing: error))")
                let trigger = UNLocationNotificationTrigger(region: region, repeats: true)
                #expect((trigger.region as? CLCircularRegion)?.radius == 200)
            }
            silent.notifyOnExit = true
            let trigger = UNLocationNotificationTrigger(region: silent, repeats: true)
            silent.notifyOnEntry = true
            #expect(!trigger.region.notifyOnEntry && trigger.region.notifyOnExit)
        }
    }
}
