import Belfry
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    @Test("What add refuses has Apple's code, and names the value")
    func errors() async throws {
        let folder = try TemporaryFolder()
        let picture = URL(fileURLWithPath: try folder.write("a.png", "picture"))
        try await PortedWorld.run(options: CenterOptions(attachmentLimit: 3)) { world in
            let large = UNMutableNotificationContent.titled("T")
            large.attachments = [try UNNotificationAttachment(identifier: "a", url: picture)]
            let negative = UNMutableNotificationContent.titled("T")
            negative.badge = -1
            let noHour = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 25), repeats: true)
            let cases: [(UNNotificationContent, UNNotificationTrigger?, UNError.Code)] = [
                (UNNotificationContent(), nil, .notificationInvalidNoContent), (negative, nil, .badgeInputInvalid),
                (UNMutableNotificationContent.titled("T"), noHour, .notificationInvalidNoDate),
                (large, nil, .attachmentInvalidFileSize),
            ]
            for (content, trigger, code) in cases {
                let error = await #expect(throws: UNError.self) { try await world.add("x", content, trigger) }
                #expect(error?.code == code)
            }
            try await world.belfry.setAuthorization(.denied)
            let error = await #expect(throws: UNError.self) { try await world.add("x") }
            #expect(error?.code == .notificationsNotAllowed)
        }
    }

    @Test("An attachment that can't be used is refused when it is made")
    func attachmentErrors() throws {
        let folder = try TemporaryFolder()
        let notes = URL(fileURLWithPath: try folder.write("notes", "text"))
        let gone = URL(fileURLWithPath: folder.path("gone.png"))
        let web = try #require(URL(string: "https://example.org/a.png"))
        let cases: [(URL, UNError.Code)] = [
            (gone, .attachmentInvalidURL), (web, .attachmentInvalidURL), (notes, .attachmentUnrecognizedType),
        ]
        for (url, code) in cases {
            let error = #expect(throws: UNError.self) { try UNNotificationAttachment(identifier: "x", url: url) }
            #expect(error?.code == code)
        }
    }

    @Test("Errors have Apple's domain and numbers, as NSError too; those that nothing throws can be made")
    func errorNumbers() {
        let codes: [UNError.Code] = [
            .notificationsNotAllowed, .attachmentInvalidURL, .attachmentUnrecognizedType, .attachmentInvalidFileSize,
            .attachmentNotInDataStore, .attachmentMoveIntoDataStoreFailed, .attachmentCorrupt,
            .notificationInvalidNoDate, .notificationInvalidNoContent, .contentProvidingObjectNotAllowed,
            .contentProvidingInvalid, .badgeInputInvalid,
        ]
        let errors = codes.map { UNError($0, userInfo: [NSLocalizedDescriptionKey: "because"]) as any Error }
        #expect(
            errors.map { ($0 as NSError).code } == [1, 100, 101, 102, 103, 104, 105, 1400, 1401, 1500, 1501, 1600]
        )
        #expect(errors.allSatisfy { ($0 as NSError).domain == "UNErrorDomain" })
        #expect(errors.allSatisfy { $0.localizedDescription == "because" })
        #expect(errors.compactMap { ($0 as? UNError)?.code } == codes)
        let names: [UNError.Code] = [
            UNError.notificationsNotAllowed, UNError.attachmentInvalidURL,
            UNError.attachmentUnrecognizedType, UNError.attachmentInvalidFileSize,
            UNError.attachmentNotInDataStore, UNError.attachmentMoveIntoDataStoreFailed,
            UNError.attachmentCorrupt, UNError.notificationInvalidNoDate,
            UNError.notificationInvalidNoContent, UNError.contentProvidingObjectNotAllowed,
            UNError.contentProvidingInvalid, UNError.badgeInputInvalid,
        ]
        #expect(names == codes)
        do { throw errors[0] } catch UNError.badgeInputInvalid {
            Issue.record("a code that is another matches")
        } catch UNError.notificationsNotAllowed {
            #expect(errors.count == 12)
        } catch { Issue.record("\(error)") }
    }
}
