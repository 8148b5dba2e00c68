import Belfry
import BelfryRecorder
import BelfrySQLite
import BelfryTestSupport
import BelfryTesting
import CoreLocation
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    @Test("What of a content is Apple's alone comes back, over a store too, and changes nothing that is shown")
    func appleAlone() async throws {
        let content = UNMutableNotificationContent.titled("T")
        content.launchImageName = "launch"
        content.targetContentIdentifier = "target"
        content.filterCriteria = "filter"
        content.summaryArgument = "who"
        content.summaryArgumentCount = 2
        content.userInfo = ["mine": true]
        let fixed = try #require(content.copy() as? UNNotificationContent)
        let folder = try TemporaryFolder()
        let path = folder.path("store")
        let store = try await SQLiteRequestStore.open(in: path)
        try await PortedWorld.run(store: .sqlite(store)) { world in
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
            try await world.add("a", fixed, trigger)
        }
        try await store.close()
        try await PortedWorld.run(store: .sqlite(try await SQLiteRequestStore.open(in: path))) { world in
            let pending = try #require(await world.center.pendingNotificationRequests().first).content
            try await world.clock.advance(by: .seconds(60))
            let delivered = try await world.delivered("a").request.content
            for back in [pending, delivered] {
                #expect(back.launchImageName == "launch" && back.targetContentIdentifier == "target")
                #expect(back.filterCriteria == "filter")
                #expect(back.summaryArgument == "who" && back.summaryArgumentCount == 2)
                #expect(back.userInfo.count == 1 && back.userInfo["mine"] as? Bool == true)
            }
            var shown = try world.recorder.expectDelivery(of: "a").content
            shown.userInfo = [:]
            var plain = NoticeContent(title: "T")
            plain.sound = .silent
            #expect(shown == plain)
        }
    }

    @Test("Siri's intents fill in no content; a beacon is a region that fires nowhere; nothing is remote")
    func intentsAndBeacons() async throws {
        final class Intent: NSObject, UNNotificationContentProviding {}
        let error = #expect(throws: UNError.self) { try UNNotificationContent().updating(from: Intent()) }
        #expect(error?.code == .contentProvidingObjectNotAllowed)
        try await PortedWorld.run { world in
            let id = UUID()
            let region = CLBeaconRegion(uuid: id, identifier: "door")
            #expect(region.uuid == id && region.identifier == "door")
            let trigger = UNLocationNotificationTrigger(region: region, repeats: false)
            let refusal = await #expect(throws: NoticeError.self) { try await world.add("a", .titled("T"), trigger) }
            #expect(refusal?.code == .invalidRegion && refusal?.message.contains("'door' is a CLBeaconRegion") == true)
            try await world.add("b")
            try await world.clock.settle()
            #expect(try await !(world.delivered("b").request.trigger is UNPushNotificationTrigger))
        }
    }

    @Test("Keys of thumbnails are taken, and change nothing")
    func thumbnails() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: try folder.write("a.png", "picture"))
        try await PortedWorld.run { world in
            let options: [AnyHashable: Any] = [
                UNNotificationAttachmentOptionsThumbnailHiddenKey: true,
                UNNotificationAttachmentOptionsThumbnailClippingRectKey: "rect",
                UNNotificationAttachmentOptionsThumbnailTimeKey: 1,
            ]
            let content = UNMutableNotificationContent.titled("T")
            content.attachments = [try UNNotificationAttachment(identifier: "a", url: url, options: options)]
            let plain = NoticeAttachment(id: "a", path: url.path, mediaType: "image/png")
            #expect(try await world.shown("x", content).attachments == [plain])
        }
    }

    @Test("A localized text is looked up, and has its arguments")
    func localizedText() {
        let text = NSString.localizedUserNotificationString(forKey: "%d cups of %@", arguments: [2, "tea" as NSString])
        #expect(text == "2 cups of tea")
        #expect(NSString.localizedUserNotificationString(forKey: "plain", arguments: nil) == "plain")
    }

    @Test(
        "Its arguments are objects, and numbers for the formats of numbers; what doesn't fit is no crash",
        arguments: [
            ("You have %@ cups", [5], "You have 5 cups"), ("%@ of %@", [NSNumber(value: 2.5), 3], "2.5 of 3"),
            ("%@", [URL(string: "https://example.org/tea")!], "https://example.org/tea"),
            ("%@", [Date(timeIntervalSince1970: 0)], "1970-01-01 00:00:00 +0000"), ("%2$@ %1$@", ["a", "b"], "b a"),
            ("%d, %ld and %05.1f", [1, NSNumber(value: 2), 3.25], "1, 2 and 003.2"), ("%x%%", [UInt8(255)], "ff%"),
            ("%d", ["tea"], "tea"), ("%@ and %@", ["a"], "a and %@"), ("%s and %@", [5], "%s and 5"),
            ("100 %", [5], "100 %"),
        ] as [(String, [any Sendable], String)]
    )
    func localizedArguments(key: String, arguments: [any Sendable], expected: String) {
        #expect(NSString.localizedUserNotificationString(forKey: key, arguments: arguments) == expected)
    }
}
