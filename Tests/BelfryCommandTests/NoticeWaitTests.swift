import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfryCommand

@Suite("Waiting for the end of one notice", .takesTurns, .timeLimit(.minutes(5)))
struct NoticeWaitTests {
    private let recorder = RecorderBackend()
    private let clock = ManualTriggerClock()

    /// Shows two notices, of which the wait is for the first, and returns its end after `act`.
    private func end(
        within timeout: Duration? = nil,
        _ captured: CapturedOutput? = nil,
        _ act: @escaping @Sendable (RecorderBackend, ManualTriggerClock) async throws -> Void
    ) async throws -> SendEnding? {
        let app = AppIdentity(id: "org.example.Command")
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
        var content = NoticeContent(title: "Ask", actions: [NoticeAction("yes", title: "Yes")])
        content.category = NoticeCategory.snoozeID
        let contents = [("ask", content), ("other", content)]
        return try await center.run { [recorder, clock] center in
            let wait = await NoticeWait(for: "ask", in: center, output: captured?.output)
            for (id, content) in contents { _ = try await center.show(NoticeRequest(id: id, content: content)) }
            async let end = wait.end(within: timeout)
            try await act(recorder, clock)
            return try await end
        }
    }

    @Test("A response and a closing end it; what happens to another notice does not")
    func responses() async throws {
        let answered = try await end { recorder, clock in
            try recorder.simulate(.action("yes"), on: "other")
            try await clock.settle()
            try recorder.simulate(.action("yes"), on: "ask")
        }
        let response = try #require(answered?.response)
        #expect(answered?.kind == .action)
        #expect(response.requestID == "ask" && response.actionID == "yes")
    }

    @Test("One that expires has no response")
    func expired() async throws {
        let end = try await end { recorder, _ in try recorder.simulate(.expire, on: "ask") }
        #expect(end == SendEnding(.expired))
    }

    @Test("A snoozed notice is waited for, and a note says until when")
    func snoozed() async throws {
        let captured = try CapturedOutput()
        let end = try await end(captured) { recorder, clock in
            try recorder.simulate(.action(SnoozeChoice.after(.seconds(300)).actionID), on: "ask")
            try await clock.settle()
            try await captured.untilNoted()
            try await clock.advance(by: .seconds(300))
            try recorder.simulate(.open, on: "ask")
        }
        #expect(end?.kind == .clicked && end?.response?.kind == .opened)
        #expect(try captured.noteLines.count == 1)
        #expect(try captured.noteLines.first?.contains("snoozed until") == true)
    }

    @Test("A snoozed notice outlives its time, which counts again when it is shown again")
    func snoozedWithTime() async throws {
        let captured = try CapturedOutput()
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Command"), backend: recorder, clock: .manual(clock))
        var content = NoticeContent(title: "Ask")
        content.category = NoticeCategory.snoozeID
        let request = NoticeRequest(id: "ask", content: content)
        let (end, showings) = try await center.run { [recorder, clock] center in
            let wait = await NoticeWait(for: "ask", in: center, output: captured.output)
            _ = try await center.show(request)
            try recorder.simulate(.action(SnoozeChoice.after(.seconds(300)).actionID), on: "ask")
            try await clock.settle()
            async let end = (wait.end(within: .zero), recorder.deliveries.count)
            try await captured.untilNoted()
            try await clock.advance(by: .seconds(300))
            return try await end
        }
        #expect(end == nil)
        #expect(showings == 2)
    }

    @Test("A snoozed notice that can't be shown again is an error that says why")
    func unshowable() async throws {
        let captured = try CapturedOutput()
        let failure = await #expect(throws: NoticeError.self) {
            try await end(captured) { recorder, clock in
                try recorder.simulate(.action(SnoozeChoice.after(.seconds(300)).actionID), on: "ask")
                try await clock.settle()
                try await captured.untilNoted()
                recorder.failAll(with: NoticeError(.rejected, "The server refuses this notice."))
                try await clock.advance(by: .seconds(300))
            }
        }
        #expect(failure?.code == .notShown)
        #expect(failure?.message.contains("refuses") == true)
    }

    @Test("An error meanwhile is told, also to programs")
    func errors() async throws {
        let captured = try CapturedOutput(json: true)
        _ = try await end(captured) { recorder, _ in
            recorder.report(.error(NoticeError(.serverBusy, "The server is busy.")))
            try recorder.simulate(.open, on: "ask")
        }
        let lines = try captured.noteLines
        #expect(lines.map { JSONLine($0)?["error", "code"] } == ["serverBusy"], "\(lines)")
    }

    @Test("Without an event it ends with its time, and with the task")
    func timeout() async throws {
        #expect(try await end(within: .milliseconds(10), nil) { _, _ in } == nil)
        let cancelled = Task { try await end { _, _ in } }
        await recorder.waitForDeliveries(4)
        cancelled.cancel()
        _ = await cancelled.result
    }
}
