import Belfry
import BelfryRecorder
import BelfryTesting
import Dispatch
import Testing
import UserNotifications

private let mark = DispatchSpecificKey<Bool>()

/// Whether the caller is on the main queue, which is the main actor's: the thread behind it is another at times.
private func isOnMainQueue() -> Bool {
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return DispatchQueue.getSpecific(key: mark) == true
}

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    /// Shows "tea" and opens it, with a delegate.
    @MainActor
    private static func showAndOpen(_ delegate: any UNUserNotificationCenterDelegate) async throws {
        UNUserNotificationCenter.current().delegate = delegate
        try await PortedWorld.run { world in
            let content = UNMutableNotificationContent.titled("Tea")
            content.sound = .default
            content.badge = 1
            #expect(try await world.shown("tea", content).sound == .silent)
            try world.recorder.simulate(.open, on: "tea")
            try await world.clock.settle()
        }
    }

    @Test("A class on the main actor is called there, in the forms with a completion handler")
    @MainActor
    func mainActorHandlers() async throws {
        @MainActor final class AppDelegate: NSObject, UNUserNotificationCenterDelegate {
            var log: [String] = []

            func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                willPresent notification: UNNotification,
                withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
            ) {
                log.append("present \(notification.request.identifier) \(isOnMainQueue())")
                completionHandler([.banner, .list])
            }

            func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                didReceive response: UNNotificationResponse,
                withCompletionHandler completionHandler: @escaping () -> Void
            ) {
                log.append("receive \(response.notification.request.identifier) \(isOnMainQueue())")
                completionHandler()
            }
        }
        let delegate = AppDelegate()
        try await Self.showAndOpen(delegate)
        #expect(delegate.log == ["present tea true", "receive tea true"])
    }

    @Test("A class on the main actor is called there, in the async forms")
    @MainActor
    func mainActorAsync() async throws {
        @MainActor final class AppDelegate: NSObject, UNUserNotificationCenterDelegate {
            var log: [String] = []

            func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                willPresent notification: UNNotification
            ) async -> UNNotificationPresentationOptions {
                log.append("present \(notification.request.identifier) \(isOnMainQueue())")
                await Task.yield()
                return [.banner, .list]
            }

            func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                didReceive response: UNNotificationResponse
            ) async {
                log.append("receive \(response.notification.request.identifier) \(isOnMainQueue())")
            }
        }
        let delegate = AppDelegate()
        try await Self.showAndOpen(delegate)
        #expect(delegate.log == ["present tea true", "receive tea true"])
    }

    @Test("A class of no actor is called on the main actor too, and its nonisolated methods are called")
    @MainActor
    func otherDelegates() async throws {
        final class Plain: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
            var log: [String] = []

            func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                willPresent notification: UNNotification
            ) async -> UNNotificationPresentationOptions {
                log.append("present \(isOnMainQueue())")
                return [.banner, .list]
            }

            nonisolated func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                didReceive response: UNNotificationResponse,
                withCompletionHandler completionHandler: @escaping @Sendable () -> Void
            ) {
                log.append("receive \(response.actionIdentifier)")
                completionHandler()
            }
        }
        let delegate = Plain()
        try await Self.showAndOpen(delegate)
        #expect(delegate.log == ["present true", "receive \(UNNotificationDefaultActionIdentifier)"])
    }

    @Test("The settings of an app are opened by the app alone, which may have a method for it")
    @MainActor
    func openSettings() async throws {
        @MainActor final class AppDelegate: NSObject, UNUserNotificationCenterDelegate {
            var opened: [String?] = []

            func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                willPresent notification: UNNotification
            ) async -> UNNotificationPresentationOptions { [.banner] }

            func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                openSettingsFor notification: UNNotification?
            ) { opened.append(notification?.request.identifier) }
        }
        let delegate = AppDelegate()
        try await Self.showAndOpen(delegate)
        #expect(delegate.opened.isEmpty)
        let erased: any UNUserNotificationCenterDelegate = delegate
        erased.userNotificationCenter(.current(), openSettingsFor: nil)
        #expect(delegate.opened == [nil])
    }

    @Test("What willPresent returns decides what is shown")
    @MainActor
    func presentation() async throws {
        @MainActor final class Chooser: NSObject, UNUserNotificationCenterDelegate {
            var options: UNNotificationPresentationOptions = []
            var dates: [Date] = []

            func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                willPresent notification: UNNotification
            ) async -> UNNotificationPresentationOptions {
                dates.append(notification.date)
                return options
            }
        }
        let chooser = Chooser()
        UNUserNotificationCenter.current().delegate = chooser
        let cases: [(UNNotificationPresentationOptions, InterruptionLevel?, NoticeSound, Int?)] = [
            ([], nil, .silent, nil), ([.sound, .badge], nil, .silent, nil), ([.list], .passive, .silent, nil),
            ([.banner], .active, .silent, nil), ([.alert], .active, .silent, nil),
            ([.banner, .list, .sound], .active, .standard, nil), ([.banner, .badge], .active, .silent, 3),
        ]
        try await PortedWorld.run { world in
            for (number, (options, level, sound, badge)) in cases.enumerated() {
                await MainActor.run { chooser.options = options }
                let content = UNMutableNotificationContent.titled("T")
                content.sound = .default
                content.badge = 3
                try await world.add("\(number)", content)
                try await world.clock.settle()
                let shown = world.recorder.delivery(of: "\(number)")?.content
                #expect(shown?.level == level, "\(options)")
                if let shown { #expect(shown.sound == sound && shown.badge == badge, "\(options)") }
            }
        }
        #expect(chooser.dates == cases.map { _ in PortedWorld.start })
    }

    @Test("The center holds its delegate weakly; without one, or without its methods, all is shown")
    @MainActor
    func weakDelegate() async throws {
        final class Silent: NSObject, UNUserNotificationCenterDelegate {}
        var delegate: Silent? = Silent()
        let center = UNUserNotificationCenter.current()
        center.delegate = delegate
        #expect(center.delegate === delegate)
        try await PortedWorld.run { world in
            let content = UNMutableNotificationContent.titled("T")
            content.sound = .default
            let shown = try await world.shown("a", content)
            #expect(shown.sound == .standard)
        }
        center.delegate = delegate
        delegate = nil
        #expect(center.delegate == nil)
        try await PortedWorld.run { world in
            let shown = try await world.shown("a", UNMutableNotificationContent.titled("T"))
            #expect(shown.title == "T")
        }
    }
    @Test("Without a delegate nothing waits for the main actor")
    func blockedMainActor() async throws {
        let shown = DispatchSemaphore(value: 0)
        let showing = Task.detached {
            try await PortedWorld.run(options: CenterOptions(appTimeout: .seconds(3_600))) { world in
                try await world.add("a")
                try await world.clock.settle()
                shown.signal()
            }
        }
        // A delegate that does not answer would be waited for.
        let result = await MainActor.run { shown.wait(timeout: .now() + 30) }
        #expect(result == .success)
        try await showing.value
    }
}
