import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfryCommand

@Suite("Waiting in the command's own process", .takesTurns)
struct WaitingTests {
    private static let app = AppIdentity(id: "org.example.Command")
    private let recorder = RecorderBackend()
    private let clock = ManualTriggerClock()

    private var chosen: ChosenBackend { ChosenBackend(backend: recorder) }

    /// Adds, and waits as `add` does, while `meanwhile` moves the time and answers.
    private func waitForEnd(
        of requests: [NoticeRequest],
        _ captured: CapturedOutput,
        on recorder: RecorderBackend? = nil,
        meanwhile: @escaping @Sendable (NoticeCenter) async throws -> Void
    ) async throws {
        let recorder = recorder ?? self.recorder
        let center = NoticeCenter(app: Self.app, backend: recorder, clock: .manual(clock))
        let chosen = ChosenBackend(backend: recorder)
        let reporter = CenterReporter(output: captured.output, chosen: chosen, zone: .utc)
        try await center.run { center in
            let events = await center.events()
            try await center.add(requests)
            let wait = PendingWait(center: center, events: events, reporter: reporter)
            try await withThrowingTaskGroup { group in
                group.addTask { try await wait.finish() }
                group.addTask { try await meanwhile(center) }
                try await group.waitForAll()
            }
        }
    }

    @Test("It ends when the notice was answered, and each step is one line of JSON")
    func answered() async throws {
        let captured = try CapturedOutput(json: true)
        let content = NoticeContent(title: "Tea", body: "Ready", actions: [NoticeAction("drink", title: "Drink")])
        let request = NoticeRequest(id: "tea", content: content, trigger: .after(.seconds(240)))
        try await waitForEnd(of: [request], captured) { [recorder, clock] _ in
            try await clock.advance(by: .seconds(240))
            try recorder.simulate(.action("drink"), on: "tea")
        }
        let lines = try captured.lines.map { try #require(JSONLine($0)) }
        #expect(lines.map { $0["id"] } == ["tea", "tea"])
        #expect(lines.map { $0["outcome"] } == ["delivered", "answered"])
        #expect(lines[0]["title"] == "Tea")
        #expect(lines[0]["body"] == "Ready")
        #expect(lines[0]["at"] == "2027-01-15T08:04:00+00:00")
        #expect(lines[0].object["late"] as? Double == 0)
        #expect(lines[1]["detail"] == "drink")
    }

    @Test("A repeating request goes on after it was closed, and ends when it is out of repeats")
    func repeats() async throws {
        let captured = try CapturedOutput()
        let request = NoticeRequest(
            id: "stretch",
            content: NoticeContent(title: "Stretch"),
            trigger: IntervalTrigger(every: .seconds(60), count: 2)
        )
        try await waitForEnd(of: [request], captured) { [recorder, clock] _ in
            for _ in 0..<2 {
                try await clock.advance(by: .seconds(60))
                try recorder.simulate(.dismiss, on: "stretch")
            }
        }
        #expect(recorder.deliveries(of: "stretch").count == 2)
        let words = try captured.lines.map { $0.split(separator: " ").dropFirst(4).first.map(String.init) ?? "" }
        #expect(words == ["shown", "closed", "shown", "closed"])
    }

    @Test("Where nobody can answer, it ends with the last showing")
    func unanswerable() async throws {
        let captured = try CapturedOutput(quiet: true)
        let request = NoticeRequest(id: "tea", title: "Tea", trigger: .after(.seconds(5)))
        var mute = DeliveryCapabilities.everything
        mute.reportsClosing = false
        for name in ["console", "portal", "plug-in"] {
            let recorder = RecorderBackend(name: name, offering: mute)
            try await waitForEnd(of: [request], captured, on: recorder) { [clock] _ in
                try await clock.advance(by: .seconds(5))
            }
            #expect(recorder.deliveries.count == 1)
        }
    }

    @Test("A server that is away is waited for; nothing is lost and nothing ends early")
    func retried() async throws {
        let captured = try CapturedOutput(json: true)
        recorder.removeServer()
        let request = NoticeRequest(id: "tea", title: "Tea", trigger: .after(.seconds(5)))
        try await waitForEnd(of: [request], captured) { [recorder, clock] _ in
            try await clock.advance(by: .seconds(6))
            recorder.restoreServer()
            await recorder.waitUntilReported()
            try await clock.settle()
            try recorder.simulate(.expire, on: "tea")
        }
        let outcomes = try captured.lines.map { JSONLine($0)?["outcome"] ?? "" }
        #expect(outcomes.first == "retrying")
        #expect(try captured.lines.first.flatMap(JSONLine.init)?["code"] == "noServer")
        #expect(outcomes.suffix(2) == ["delivered", "closed"])
    }

    @Test("What could never be shown is a failure that says why")
    func failed() async throws {
        let captured = try CapturedOutput(quiet: true)
        recorder.failAll(with: NoticeError(.rejected, "The server refuses this notice."))
        let request = NoticeRequest(id: "tea", title: "Tea", trigger: .after(.seconds(5)))
        let failure = await #expect(throws: NoticeError.self) {
            try await waitForEnd(of: [request], captured) { [clock] _ in try await clock.advance(by: .seconds(5)) }
        }
        #expect(failure?.code == .notShown)
        #expect(failure?.message.contains("refuses") == true)
    }

    @Test("An interruption reaches the command while its center still works")
    func interrupted() async throws {
        let center = NoticeCenter(app: Self.app, backend: recorder)
        let captured = try CapturedOutput(quiet: true)
        var content = NoticeContent(title: "Wait")
        content.actions = [NoticeAction("yes", title: "Yes")]
        let sending = Sending(
            request: NoticeRequest(id: "wait", content: content),
            printsNumber: false,
            waits: true,
            output: captured.output,
            chosen: chosen
        )
        let command = Task { try await center.runInterruptibly { center in try await sending.perform(center) } }
        await recorder.waitForDeliveries(1)
        command.cancel()
        await #expect(throws: CancellationError.self) { try await command.value }
        #expect(recorder.shown.isEmpty, "the notice was taken down")
        #expect(recorder.withdrawn.count == 1)
    }

    @Test("Sending prints the number and the chosen action, and nothing of a click beside the buttons")
    func sending() async throws {
        for (response, expected) in [(SimulatedResponse.action("yes"), ["yes"]), (.open, []), (.dismiss, [])] {
            let recorder = RecorderBackend()
            let chosen = ChosenBackend(backend: recorder)
            let captured = try CapturedOutput()
            let request = NoticeRequest(
                id: "ask",
                content: NoticeContent(title: "Ask", actions: [NoticeAction("yes", title: "Yes")])
            )
            let sending = Sending(
                request: request,
                printsNumber: true,
                waits: false,
                output: captured.output,
                chosen: chosen
            )
            let center = NoticeCenter(app: Self.app, backend: recorder)
            async let sent: Void = center.runInterruptibly { center in try await sending.perform(center) }
            await recorder.waitForDeliveries(1)
            try recorder.simulate(response, on: "ask")
            try await sent
            let handle = try #require(recorder.attempts.first.map { _ in try captured.lines.first })
            #expect(try captured.lines.dropFirst() == expected[...])
            #expect(handle?.isEmpty == false)
        }
    }

    @Test("A backend that reports no closing is waited for only if its notice has buttons", .timeLimit(.minutes(5)))
    func unreported() async throws {
        var mute = DeliveryCapabilities.everything
        mute.reportsClosing = false
        let recorder = RecorderBackend(name: "plug-in", offering: mute)
        let captured = try CapturedOutput()
        let sending = Sending(
            request: NoticeRequest(id: "tea", title: "Tea"),
            waits: true,
            output: captured.output,
            chosen: ChosenBackend(backend: recorder)
        )
        let center = NoticeCenter(app: Self.app, backend: recorder)
        let ending = try await center.run { center in try await sending.perform(center) }
        #expect(ending == nil)
        let notes = try captured.noteLines
        #expect(notes == ["belfry: 'plug-in' does not report when a notice is closed: not waiting"])
    }

    @Test("A notice that is put off comes again in the command's process, which stays for it")
    func putOff() async throws {
        let captured = try CapturedOutput()
        var content = NoticeContent(title: "Tea")
        content.category = NoticeCategory.snoozeID
        let sending = Sending(
            request: NoticeRequest(id: "tea", content: content),
            printsNumber: false,
            waits: false,
            output: captured.output,
            chosen: chosen
        )
        let center = NoticeCenter(app: Self.app, backend: recorder, clock: .manual(clock))
        async let sent: Void = center.run { center in try await sending.perform(center) }
        await recorder.waitForDeliveries(1)
        try recorder.simulate(.action(SnoozeChoice.after(.seconds(300)).actionID), on: "tea")
        try await clock.settle()
        #expect(recorder.shown.isEmpty)
        try await captured.untilNoted()
        try await clock.advance(by: .seconds(299))
        #expect(recorder.deliveries.count == 1)
        try await clock.advance(by: .seconds(1))
        #expect(recorder.deliveries.map(\.snoozeCount) == [0, 1])
        try recorder.simulate(.open, on: "tea")
        try await sent
        let notes = try captured.noteLines
        #expect(notes.contains { $0.contains("snoozed until") && $0.contains(":05") }, "\(notes)")
    }

    @Test("What is added until it is answered ends with the answer, not with its last repeat")
    func untilAnswered() async throws {
        let captured = try CapturedOutput(json: true)
        let request = NoticeRequest(
            id: "mail",
            content: NoticeContent(title: "Mail"),
            trigger: IntervalTrigger(every: .seconds(60)),
            endsWhenAnswered: true
        )
        try await waitForEnd(of: [request], captured) { [recorder, clock] _ in
            for _ in 0..<3 { try await clock.advance(by: .seconds(60)) }
            try recorder.simulate(.open, on: "mail")
        }
        #expect(recorder.deliveries.count == 3)
        let outcomes = try captured.lines.compactMap { JSONLine($0)?["outcome"] }
        #expect(outcomes.count { $0 == "delivered" } == 3 && outcomes.contains("answered"), "\(outcomes)")
    }
}
