import Belfry
import BelfryRecorder
import BelfryTesting
import Foundation
import Testing

@Suite("The ports of the article about UserNotifications")
struct PortsTests {
    private static func run(
        _ body: @escaping @Sendable (TaskReminders, RecorderBackend, ManualTriggerClock) async throws -> Void
    ) async throws {
        let (clock, recorder) = (ManualTriggerClock(), RecorderBackend())
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Tasks"), backend: recorder, clock: .manual(clock))
        try await center.run { center in
            await recorder.waitUntilReported()
            try await body(TaskReminders(center: center), recorder, clock)
        }
    }

    @Test("Again until it is answered, and not after that") func again() async throws {
        try await Self.run { reminders, recorder, clock in
            try await reminders.remindAgain(NoticeContent(title: "Call Ada"))
            try await clock.advance(by: .seconds(600))
            #expect(recorder.deliveries.count == 3)
            try recorder.simulate(.open, on: try #require(recorder.shown.first).delivery.requestID)
            try await clock.advance(by: .seconds(86_400))
            #expect(recorder.deliveries.count == 3)
        }
    }

    @Test("Ten from a date on, and an answer ends them") func series() async throws {
        try await Self.run { reminders, recorder, clock in
            try await reminders.remind(NoticeContent(title: "Call Ada"), from: clock.date.addingTimeInterval(60))
            try await clock.advance(by: .seconds(360))
            #expect(recorder.deliveries.count == 2)
            try recorder.simulate(.open, on: try #require(recorder.shown.first).delivery.requestID)
            try await clock.advance(by: .seconds(86_400))
            #expect(recorder.deliveries.count == 2 && recorder.shown.isEmpty)
        }
    }

    @Test("What is pending moves to another center, and fires there alone") func moving() async throws {
        let app = AppIdentity(id: "org.example.Tasks")
        try await Self.run { _, recorder, clock in
            let own = NoticeCenter(app: app, backend: RecorderBackend(), clock: .manual(clock))
            try await own.add(NoticeRequest(id: "tea", title: "Tea", trigger: .after(.seconds(60))))
            let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
            try await MovedRequests().move(from: own, to: center)
            #expect(try await own.pending().isEmpty)
            #expect(try await center.pending().map(\.id) == ["tea"])
        }
    }

    @Test("On weekdays, with an action that reaches the app") func action() async throws {
        try await Self.run { reminders, recorder, clock in
            let listening = Task { await reminders.handleResponses() }
            try await reminders.plan("Water the plants")
            try await clock.advance(by: .seconds(4 * 86_400))
            try recorder.simulate(.action("done"), on: "Water the plants")
            try await clock.settle()
            #expect(reminders.completedTasks == ["Water the plants"])
            listening.cancel()
        }
    }
}
