import Belfry
import BelfryRecorder
import BelfryTesting
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    @Test("Each part of a content reaches the backend, and comes back with the notice")
    func contents() async throws {
        try await PortedWorld.run { world in
            let content = UNMutableNotificationContent()
            content.title = "Title"
            content.subtitle = "Sub"
            content.body = "Body"
            content.badge = 3
            content.sound = UNNotificationSound(named: UNNotificationSoundName("bell"))
            content.userInfo = ["task": "milk", "count": 2, "done": false]
            content.categoryIdentifier = "task"
            content.threadIdentifier = "thread"
            content.relevanceScore = 0.5
            let shown = try await world.shown("a", content)
            #expect((shown.title, shown.subtitle, shown.body) == ("Title", "Sub", "Body"))
            #expect(shown.badge == 3 && shown.sound == .named("bell") && shown.relevance == 0.5)
            #expect(shown.category == "task" && shown.thread == "thread")
            #expect(shown.userInfo == ["task": "milk", "count": 2, "done": false])
            let back: UNNotificationContent = try await world.delivered("a").request.content
            #expect((back.title, back.subtitle, back.body) == ("Title", "Sub", "Body"))
            #expect(back.badge == 3 && back.sound == content.sound && back.relevanceScore == 0.5)
            #expect(back.categoryIdentifier == "task" && back.threadIdentifier == "thread")
            #expect(back.userInfo.count == 3 && back.userInfo["count"] as? Int == 2)
            #expect(back.userInfo["done"] as? Bool == false)
            let plain = try await world.shown("b", UNMutableNotificationContent.titled("Plain"))
            #expect(plain.sound == .silent && plain.badge == nil)
            #expect(try await world.delivered("b").request.content.sound == nil)
        }
    }

    @Test("The interruption levels are Belfry's, and come back")
    func levels() async throws {
        let levels: [(UNNotificationInterruptionLevel, InterruptionLevel)] = [
            (.passive, .passive), (.active, .active), (.timeSensitive, .timeSensitive), (.critical, .critical),
        ]
        #expect(UNMutableNotificationContent().interruptionLevel == .active)
        try await PortedWorld.run { world in
            for (apple, belfry) in levels {
                let content = UNMutableNotificationContent.titled("T")
                content.interruptionLevel = apple
                let shown = try await world.shown("\(belfry)", content)
                let back = try await world.delivered("\(belfry)").request.content
                #expect(shown.level == belfry && back.interruptionLevel == apple)
            }
        }
    }

    @Test("Sounds are the theme's, the program's own, or a file; a file that is gone is the usual sound")
    func sounds() async throws {
        let own = try #require(Bundle.main.executableURL)
        let bell = UNNotificationSoundName("bell")
        let sounds: [(UNNotificationSound, NoticeSound)] = [
            (.default, .standard), (.defaultCritical, .standard), (.defaultRingtone, .named("phone-incoming-call")),
            (UNNotificationSound(named: bell), .named("bell")), (.criticalSoundNamed(bell), .named("bell")),
            (.criticalSoundNamed(bell, withAudioVolume: 1), .named("bell")),
            (.defaultCriticalSound(withAudioVolume: 0.5), .standard), (.ringtoneSoundNamed(bell), .named("bell")),
            (UNNotificationSound(named: UNNotificationSoundName(rawValue: own.path)), .file(own.path)),
            (UNNotificationSound(named: UNNotificationSoundName(own.lastPathComponent)), .file(own.path)),
            (UNNotificationSound(named: UNNotificationSoundName("gone.caf")), .standard),
        ]
        try await PortedWorld.run { world in
            for (number, (apple, belfry)) in sounds.enumerated() {
                let content = UNMutableNotificationContent.titled("T")
                content.sound = apple
                let shown = try await world.shown("\(number)", content)
                let back = try await world.delivered("\(number)").request.content
                #expect(shown.sound == belfry && back.sound == apple)
            }
        }
    }

    @Test("userInfo keeps what a property list has, and names what it has not")
    func userInfo() async throws {
        try await PortedWorld.run { world in
            let content = UNMutableNotificationContent.titled("T")
            content.userInfo = [
                "one": NSNumber(value: 1), "half": NSNumber(value: 0.5), "yes": NSNumber(value: true),
                "float": Float(2),
                "when": PortedWorld.start, "data": Data([1, 2]), "days": [PortedWorld.start],
                "nested": ["list": [1, "two"]] as [String: Any],
            ]
            let shown = try await world.shown("a", content).userInfo
            #expect(shown["one"] == 1 && shown["half"] == 0.5 && shown["yes"] == true && shown["float"] == 2.0)
            let back = try await world.delivered("a").request.content.userInfo
            #expect(Set(back.keys) == Set(content.userInfo.keys))
            #expect(back["one"] as? Int == 1 && back["half"] as? Double == 0.5 && back["yes"] as? Bool == true)
            #expect(back["when"] as? Date == PortedWorld.start && back["data"] as? Data == Data([1, 2]))
            #expect(back["days"] as? [Date] == [PortedWorld.start])
            #expect(((back["nested"] as? [String: Any])?["list"] as? [Any])?.last as? String == "two")
            for unstorable in [["bad": NSObject()], [7: "seven"]] as [[AnyHashable: Any]] {
                content.userInfo = unstorable
                let error = await #expect(throws: UNError.self) { try await world.add("b", content) }
                #expect(error?.code == .badgeInputInvalid)
                #expect(error?.description.contains("userInfo[\(unstorable.keys.first!)]") == true)
            }
        }
    }

    @Test("A request has the content as it was when it was made; copies are apart")
    func copies() async throws {
        try await PortedWorld.run { world in
            let content = UNMutableNotificationContent.titled("First")
            let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
            let copy = try #require(content.mutableCopy() as? UNMutableNotificationContent)
            let fixed = try #require(content.copy() as? UNNotificationContent)
            content.title = "Second"
            copy.title = "Third"
            #expect(request.content.title == "First" && fixed.title == "First" && content.title == "Second")
            #expect(!(fixed is UNMutableNotificationContent) && request.trigger == nil)
            try await world.center.add(request)
            try await world.clock.settle()
            #expect(try world.recorder.expectDelivery(of: request.identifier).content.title == "First")
        }
    }
}
