import Belfry
import BelfryAgent
import BelfryBusTestSupport
import BelfryRecorder
import BelfrySQLite
import BelfryTestSupport
import BelfryTesting
import Synchronization
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    private final class Receiver: NSObject, UNUserNotificationCenterDelegate {
        let (responses, log) = AsyncStream.makeStream(of: String.self)

        func userNotificationCenter(
            _ center: UNUserNotificationCenter,
            didReceive response: UNNotificationResponse
        ) async { log.yield(response.notification.request.identifier) }
    }

    /// One life of the app: its center over the agent where there is one, as the article about porting has it.
    private static func life(
        _ agent: PortedAgent,
        own: @escaping @Sendable () async throws(NoticeError) -> NoticeCenter,
        _ body: @escaping @Sendable (UNUserNotificationCenter) async throws -> Void
    ) async throws {
        let center = try await NoticeCenter.overAgent(app: PortedWorld.app, options: agent.options, orElse: own)
        try await center.run { center in
            await UNUserNotificationCenter.use(center)
            try await body(.current())
        }
    }

    private static func addTea(_ center: UNUserNotificationCenter) async throws {
        let content = UNMutableNotificationContent.titled("Tea")
        content.userInfo = ["cup": 2, "minutes": 5.0]
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 300, repeats: false)
        try await center.add(UNNotificationRequest(identifier: "tea", content: content, trigger: trigger))
    }

    private static func expectTea(_ center: UNUserNotificationCenter) async throws {
        let request = try #require(await center.pendingNotificationRequests().first)
        #expect(request.identifier == "tea" && request.content.userInfo["cup"] as? Int == 2)
        #expect(request.content.userInfo["minutes"] as? Double == 5)
        #expect((request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 300)
    }

    @Test(
        "Where there is an agent, it fires while the app is closed, and the next life of the app gets the response",
        .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
    )
    func overTheAgent() async throws {
        let agent = try await PortedAgent()
        let own: @Sendable () async throws(NoticeError) -> NoticeCenter = { () throws(NoticeError) in
            throw NoticeError(.unsupported, "There is an agent: no center of the app's own is wanted.")
        }
        try await agent.run {
            try await Self.life(agent, own: own) { center in try await Self.addTea(center) }
            try await Self.life(agent, own: own) { center in try await Self.expectTea(center) }
            try await agent.clock.advance(by: .seconds(300))
            #expect(agent.recorder.deliveries.map(\.requestID) == ["tea"])
            try agent.recorder.simulate(.open, on: "tea")
            let receiver = Receiver()
            UNUserNotificationCenter.current().delegate = receiver
            let responses = receiver.responses
            try await Self.life(agent, own: own) { center in
                #expect(await responses.first { _ in true } == "tea")
                #expect(await center.pendingNotificationRequests().isEmpty)
            }
            UNUserNotificationCenter.current().delegate = nil
        }
    }

    @Test(
        "Where there is none, a store of the app keeps it, and its next life fires it",
        .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
    )
    func withoutAgent() async throws {
        let agent = try await PortedAgent()
        let path = agent.folder.path("store")
        let (recorder, clock) = (agent.recorder, agent.clock)
        for life in 1...2 {
            let store = try await SQLiteRequestStore.open(in: path)
            try await Self.life(agent) { () throws(NoticeError) in
                NoticeCenter(app: PortedWorld.app, backend: recorder, store: .sqlite(store), clock: .manual(clock))
            } _: { center in
                if life == 1 { return try await Self.addTea(center) }
                try await Self.expectTea(center)
                try await clock.advance(by: .seconds(300))
                #expect(recorder.deliveries.map(\.requestID) == ["tea"])
            }
            try await store.close()
        }
    }
}
