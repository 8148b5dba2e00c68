import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    @Test("The forms with completion handlers say what the async ones say, in the order of the calls")
    func completionHandlers() async throws {
        try await PortedWorld.run { world in
            let center: UNUserNotificationCenter = .current()
            #expect(center === world.center)
            let category = UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: [])
            let soon = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
            let (calls, log) = AsyncStream.makeStream(of: String.self)
            center.setNotificationCategories([category])
            center.getNotificationCategories { log.yield("categories \($0.map(\.identifier))") }
            for (id, trigger) in [("now", nil), ("soon", soon)] {
                let content = UNMutableNotificationContent.titled(id)
                let request = UNNotificationRequest(identifier: id, content: content, trigger: trigger)
                center.add(request, withCompletionHandler: { log.yield("added \($0 == nil)") })
            }
            let empty = UNNotificationRequest(identifier: "", content: UNNotificationContent(), trigger: nil)
            center.add(empty, withCompletionHandler: { log.yield("added \($0 == nil)") })
            // In line behind the calls above.
            #expect(await center.pendingNotificationRequests().map(\.identifier).contains("soon"))
            try await world.clock.settle()
            center.getPendingNotificationRequests { log.yield("pending \($0.map(\.identifier))") }
            center.getDeliveredNotifications { log.yield("delivered \($0.map(\.request.identifier))") }
            center.requestAuthorization(options: [.alert, .sound]) { log.yield("asked \($0) \($1 == nil)") }
            center.getNotificationSettings { log.yield("settings \($0.authorizationStatus == .authorized)") }
            center.setBadgeCount(4) { log.yield("badge \($0 == nil)") }
            center.setBadgeCount(-1) { log.yield("badge \($0 == nil)") }
            #expect(await center.notificationCategories().count == 1)
            log.finish()
            #expect(
                await calls.reduce(into: []) { $0.append($1) } == [
                    #"categories ["c"]"#, "added true", "added true", "added false", #"pending ["soon"]"#,
                    #"delivered ["now"]"#, "asked true true", "settings true", "badge true", "badge false",
                ]
            )
        }
    }

    @Test("Completion handlers are called on a thread for apps: Swift's pool would wake up once a second from then on")
    func handlerThread() async throws {
        try await PortedWorld.run { world in
            let thread = await withCheckedContinuation { continuation in
                world.center.getPendingNotificationRequests { _ in continuation.resume(returning: currentThreadName()) }
            }
            #expect(thread == "belfry-app")
        }
    }

    @Test("Notices are taken off the screen by name or all at once; the same name replaces")
    func removing() async throws {
        try await PortedWorld.run { world in
            for id in ["a", "b", "c"] { try await world.add(id) }
            try await world.clock.settle()
            #expect(await world.center.deliveredNotifications().count == 3)
            world.center.removeDeliveredNotifications(withIdentifiers: ["b", "unknown"])
            #expect(await Set(world.center.deliveredNotifications().map(\.request.identifier)) == ["a", "c"])
            try await world.clock.settle()
            #expect(world.recorder.withdrawn.map(\.delivery.requestID) == ["b"])
            world.center.removeAllDeliveredNotifications()
            #expect(await world.center.deliveredNotifications().isEmpty)
            try await world.clock.settle()
            #expect(world.recorder.shown.isEmpty)
            let later = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
            for title in ["First", "Second"] { try await world.add("same", .titled(title), later) }
            #expect(await world.center.pendingNotificationRequests().map(\.content.title) == ["Second"])
            try await world.clock.advance(by: .seconds(60))
            #expect(world.recorder.deliveries(of: "same").map(\.content.title) == ["Second"])
        }
    }

    @Test("Of what exceeds 64 pending, as an option, the soonest stay")
    func pendingLimit() async throws {
        try await PortedWorld.run(options: CenterOptions(pendingLimit: .appleDefault)) { world in
            for number in (1...70).reversed() {
                let trigger = UNTimeIntervalNotificationTrigger(timeInterval: Double(number) * 60, repeats: false)
                try await world.add("\(number)", .titled("T"), trigger)
            }
            let pending = await world.center.pendingNotificationRequests()
            #expect(pending.map(\.identifier) == (1...64).map(String.init))
        }
    }

    @Test("The number on the app's icon is set, and refused below zero")
    func badge() async throws {
        try await PortedWorld.run { world in
            try await world.center.setBadgeCount(5)
            try await world.center.setBadgeCount(0)
            #expect(world.dock.badges == [5, 0])
            let error = await #expect(throws: UNError.self) { try await world.center.setBadgeCount(-1) }
            #expect(error?.code == .badgeInputInvalid)
        }
    }

    @Test("One question asks for all options; a refusal is false, and add throws from then on")
    func authorization() async throws {
        let prompt = ScriptedPrompt(.allowed)
        try await PortedWorld.run(prompt: prompt) { world in
            #expect(await world.center.notificationSettings().authorizationStatus == .notDetermined)
            let options: UNAuthorizationOptions = [
                .badge, .sound, .alert, .carPlay, .criticalAlert, .providesAppNotificationSettings, .announcement,
                .timeSensitive,
            ]
            for options in [options, []] {
                let mayNotify = try await world.center.requestAuthorization(options: options)
                #expect(mayNotify)
            }
            #expect(prompt.asked.count == 1)
            #expect(await world.center.notificationSettings().authorizationStatus == .authorized)
        }
        let refusing = ScriptedPrompt(.denied)
        try await PortedWorld.run(prompt: refusing) { world in
            let mayNotify = try await world.center.requestAuthorization(options: [.alert])
            #expect(!mayNotify)
            let error = await #expect(throws: UNError.self) { try await world.add("a") }
            #expect(error?.code == .notificationsNotAllowed)
        }
    }

    @Test("A question that is closed without a response is no permission, and no error")
    func unansweredQuestion() async throws {
        let prompt = ScriptedPrompt(.undecided, .allowed)
        try await PortedWorld.run(prompt: prompt) { world in
            let atFirst = try await world.center.requestAuthorization(options: [.alert])
            #expect(!atFirst)
            #expect(await world.center.notificationSettings().authorizationStatus == .notDetermined)
            #expect(try await world.center.requestAuthorization(options: [.alert]))
        }
    }

    @Test("A question that is open holds up no other call")
    func openQuestion() async throws {
        let prompt = ScriptedPrompt(.allowed)
        prompt.stall()
        try await PortedWorld.run(prompt: prompt) { world in
            let (answers, log) = AsyncStream.makeStream(of: Bool.self)
            world.center.requestAuthorization(options: [.alert]) { isAllowed, _ in log.yield(isAllowed) }
            await prompt.waitUntilAsked()
            let later = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
            try await world.add("a", .titled("T"), later)
            #expect(await world.center.pendingNotificationRequests().map(\.identifier) == ["a"])
            #expect(await world.center.notificationSettings().authorizationStatus == .notDetermined)
            prompt.release()
            #expect(await answers.first { _ in true } == true)
            #expect(await world.center.notificationSettings().authorizationStatus == .authorized)
            #expect(prompt.asked.count == 1)
        }
    }

    @Test("With provisional nobody is asked, and what comes is quiet")
    func provisional() async throws {
        let prompt = ScriptedPrompt(.denied)
        try await PortedWorld.run(prompt: prompt) { world in
            #expect(try await world.center.requestAuthorization(options: [.alert, .provisional]))
            #expect(prompt.asked.isEmpty)
            #expect(await world.center.notificationSettings().authorizationStatus == .provisional)
            let content = UNMutableNotificationContent.titled("T")
            content.sound = .default
            let shown = try await world.shown("a", content)
            #expect(shown.sound == .silent && shown.level == .passive)
        }
    }
}
