import Belfry
import BelfryRecorder
import BelfryTesting
import Testing

@Suite("Tea")
struct TeaTests {
    let app = AppIdentity(id: "org.example.Tea")
    let tea = NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240)))

    @Test("It is ready after four minutes, and not before") func onTime() async throws {
        let clock = ManualTriggerClock()
        let recorder = RecorderBackend()
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
        try await center.run { center in
            await recorder.waitUntilReported()
            try await center.add(tea)
            try await clock.advance(by: .seconds(239))
            #expect(recorder.deliveries == [])
            try await clock.advance(by: .seconds(1))
            #expect(try recorder.expectDelivery(of: "tea").content.title == "Tea is ready")
        }
    }

    @Test("A machine that is off at that time tells of it when it is on again") func restart() async throws {
        let clock = ManualTriggerClock()
        let store = NoticeStore.memory
        let before = NoticeCenter(app: app, backend: RecorderBackend(), store: store, clock: .manual(clock))
        _ = try await before.run { center in try await center.add(tea) }

        try await clock.reboot(taking: .seconds(600))
        let recorder = RecorderBackend()
        let after = NoticeCenter(app: app, backend: recorder, store: store, clock: .manual(clock))
        try await after.run { center in
            await recorder.waitUntilReported()
            try await clock.settle()
            #expect(try recorder.expectDelivery(of: "tea").late == .seconds(360))
        }
    }

    @Test("A server that is too busy at first gets it a second later") func retry() async throws {
        let clock = ManualTriggerClock()
        let recorder = RecorderBackend()
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
        try await center.run { center in
            await recorder.waitUntilReported()
            recorder.failNext(with: NoticeError(.serverBusy, "The server's queue is full."))
            try await center.add(tea)
            try await clock.advance(by: .seconds(240))
            #expect(recorder.attempts.count == 1 && recorder.deliveries == [])
            try await clock.advance(by: .seconds(1))
            #expect(try recorder.expectDelivery(of: "tea").late == .seconds(1))
        }
    }
}
