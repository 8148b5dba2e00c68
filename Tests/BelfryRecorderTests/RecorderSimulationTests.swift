import Belfry
import BelfryRecorder
import BelfryTestSupport
import Testing

@Suite("The recorder plays the person and the server", .takesTurns)
struct RecorderSimulationTests {
    @Test(
        "An answer is reported, then the closing that follows it",
        arguments: [
            (SimulatedResponse.open, "default", nil), (.action("mute"), "mute", nil),
            (.reply("yes"), "reply", "yes"), (.reply("no", action: "reply"), "reply", "no"),
        ] as [(SimulatedResponse, String, String?)]
    )
    func answers(response: SimulatedResponse, action: String, text: String?) async throws {
        let recorder = RecorderBackend()
        let receipt = try await recorder.deliver(makeDelivery("a", content: .answerable))
        let events = try await recording(recorder) { try recorder.simulate(response, on: "a", activationToken: "t") }
        let reference = DeliveryReceipt.Reference(receipt)
        #expect(
            events == [
                .responded(reference, action: action, text: text, activationToken: "t"),
                .closed(reference, .dismissed),
            ]
        )
        #expect(recorder.shown.isEmpty)
    }

    @Test("A resident notice stays after an answer")
    func residentStays() async throws {
        let recorder = RecorderBackend()
        var content = NoticeContent.answerable
        content.desktop.isResident = true
        _ = try await recorder.deliver(makeDelivery("a", content: content))
        let events = try await recording(recorder) {
            try recorder.simulate(.action("mute"), on: "a")
            try recorder.simulate(.action("mute"), on: "a")
        }
        #expect(events.count == 2)
        #expect(recorder.shown.map(\.id) == ["a"])
    }

    @Test(
        "A closing carries its reason, any number at all",
        arguments: [
            (.dismiss, 2), (.expire, 1), (.close(rawReason: 3), 3), (.close(rawReason: 77), 77),
        ] as [(SimulatedResponse, UInt32)]
    )
    func closes(response: SimulatedResponse, reason: UInt32) async throws {
        let recorder = RecorderBackend()
        let receipt = try await recorder.deliver(makeDelivery("a"))
        let events = try await recording(recorder) { try recorder.simulate(response, on: "a") }
        #expect(events == [.closed(DeliveryReceipt.Reference(receipt), NoticeResponse.CloseReason(rawValue: reason))])
        #expect(throws: RecorderError.self) { try recorder.simulate(response, on: "a") }
    }

    @Test("What the capabilities lack can't be pressed")
    func respectsCapabilities() async throws {
        let recorder = RecorderBackend(offering: .everything.without(.reply))
        _ = try await recorder.deliver(makeDelivery("a", content: .answerable))
        #expect(throws: RecorderError.self) { try recorder.simulate(.reply("x"), on: "a") }
        recorder.offered.actionLimit = 0
        #expect(throws: RecorderError.self) { try recorder.simulate(.action("mute"), on: "a") }
        recorder.offered = .everything.without(.actions)
        #expect(throws: RecorderError.self) { try recorder.simulate(.open, on: "a") }
        try recorder.simulate(.dismiss, on: "a")
    }

    @Test("News of before the run are reported when it begins, in order")
    func keepsEarlyEvents() async throws {
        let recorder = RecorderBackend()
        for id in ["a", "b"] {
            _ = try await recorder.deliver(makeDelivery(id))
            try recorder.simulate(.expire, on: id)
        }
        let events = try await recording(recorder) {}
        #expect(events.count == 2)
    }

    @Test("A server that goes takes its notices along; the next one counts from one again under another name")
    func serverComesAndGoes() async throws {
        let recorder = RecorderBackend()
        let old = try await recorder.deliver(makeDelivery("a"))
        let events = try await recording(recorder) {
            recorder.removeServer()
            recorder.removeServer()
            let error = await #expect(throws: NoticeError.self) { try await recorder.deliver(makeDelivery("b")) }
            #expect(error?.code == .noServer)
            recorder.restoreServer()
        }
        let new = try await recorder.deliver(makeDelivery("b"))
        #expect(new.handle == old.handle)
        #expect(new.server != old.server)
        #expect(events == [.serverGone(server: old.server), .serverCame(server: new.server)])
        try await recorder.withdraw(old)
        #expect(recorder.shown.map(\.id) == ["b"])
    }

    @Test("One recorder serves one center at a time, and the next one after it")
    func oneRunAtATime() async throws {
        let recorder = RecorderBackend()
        let run = Task { try await recorder.run { _ in } }
        await recorder.waitUntilReported()
        let second = await #expect(throws: NoticeError.self) { try await recorder.run { _ in } }
        #expect(second?.code == .unsupported)
        run.cancel()
        try await run.value
        let events = try await recording(recorder) { recorder.report(.serverCame(server: nil)) }
        #expect(events == [.serverCame(server: nil)])
    }

    @Test("Many threads that simulate at once lose nothing")
    func isThreadSafe() async throws {
        let recorder = RecorderBackend()
        let events = try await recording(recorder) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        _ = try await recorder.deliver(makeDelivery("r\(number)"))
                        try recorder.simulate(.dismiss, on: "r\(number)")
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(events.count == 200)
        #expect(Set(events).count == 200)
        #expect(recorder.shown.isEmpty)
    }
}
