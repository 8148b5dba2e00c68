#if ServiceLifecycle
import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Testing

@Suite("What a service counts", .takesTurns)
struct NoticeMetricsTests {
    @Test("Delivered, and of these late; missed; failed; a retry that succeeds is no failure") func counters()
        async throws
    {
        let daemon = Daemon()
        try await daemon.run {
            try await daemon.center.add(request("on time", .after(.seconds(60))))
            try await daemon.clock.advance(by: .seconds(60))
            #expect(try daemon.count("delivered") == 1)
            #expect(try daemon.count("late") == 0)
            var skipped = request("skipped", .after(.seconds(60)))
            skipped.misfire = .skip
            try await daemon.center.add([request("late", .after(.seconds(60))), skipped])
            try await daemon.clock.suspend(for: .seconds(180))
            daemon.recorder.failNext(with: NoticeError(.rejected, "The server refuses it."))
            try await daemon.center.add(request("failed"))
            try await daemon.clock.settle()
            daemon.recorder.failNext(3, with: NoticeError(.serverBusy, "The queue is full."))
            try await daemon.center.add(request("retried"))
            try await daemon.clock.advance(by: .seconds(60))
        }
        #expect(try daemon.count("delivered") == 3)
        // The retried one too: it is due when it is added.
        #expect(try daemon.count("late") == 2)
        #expect(try daemon.count("missed") == 1)
        #expect(try daemon.count("failed") == 1)
    }

    @Test("Pending: after each call and each firing, and what the store had before") func pending() async throws {
        let (store, clock) = (NoticeStore.memory, ManualTriggerClock())
        let before = Daemon(on: clock, store: store)
        try await before.run {
            try await before.center.add([request("a", .after(.seconds(60))), request("b", .after(.seconds(120)))])
            #expect(try before.pendingGauge() == 2)
            try await before.center.add(request("c", .after(.seconds(180))))
            #expect(try before.pendingGauge() == 3)
            try await before.center.remove("b")
            #expect(try before.pendingGauge() == 2)
            try await clock.advance(by: .seconds(60))
            #expect(try before.pendingGauge() == 1)
        }
        let after = Daemon(on: clock, store: store)
        try await after.run {
            await after.center.quiet()
            #expect(try after.pendingGauge() == 1)
            try await clock.advance(by: .seconds(120))
            #expect(try after.pendingGauge() == 0)
        }
    }

    private func request(_ id: String, _ trigger: (any NoticeTrigger)? = nil) -> NoticeRequest {
        NoticeRequest(id: id, title: id, trigger: trigger)
    }
}
#endif
