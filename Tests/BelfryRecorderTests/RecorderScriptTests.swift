import Belfry
import BelfryRecorder
import BelfryTestSupport
import Testing

@Suite("The recorder fails and stalls on command", .takesTurns)
struct RecorderScriptTests {
    private let busy = NoticeError(.serverBusy, "busy")
    private let refused = NoticeError(.rejected, "refused")

    private func outcome(_ recorder: RecorderBackend) async -> NoticeError.Code? {
        do throws(NoticeError) {
            _ = try await recorder.deliver(makeDelivery("a"))
            return nil
        } catch { return error.code }
    }

    @Test("Scripted failures come in order and then end; attempts count them, deliveries don't")
    func failsNext() async {
        let recorder = RecorderBackend()
        recorder.failNext(2, with: busy)
        recorder.failNext(with: refused)
        var codes: [NoticeError.Code?] = []
        for _ in 0..<4 { codes.append(await outcome(recorder)) }
        #expect(codes == [.serverBusy, .serverBusy, .rejected, nil])
        #expect(recorder.attempts.count == 4)
        #expect(recorder.deliveries.count == 1)
    }

    @Test("Failing goes on until told otherwise, and only where told")
    func failsAll() async throws {
        let recorder = RecorderBackend()
        recorder.failAll(with: busy, on: .withdraw)
        let receipt = try await recorder.deliver(makeDelivery("a"))
        for _ in 0..<3 {
            await #expect(throws: busy) { try await recorder.withdraw(receipt) }
        }
        #expect(recorder.shown.count == 1)
        recorder.succeed()
        try await recorder.withdraw(receipt)
        #expect(recorder.shown.isEmpty)
    }

    @Test("A stalled delivery waits until released, and shows nothing before")
    func stalls() async throws {
        let recorder = RecorderBackend()
        recorder.stall()
        async let first = recorder.deliver(makeDelivery("a"))
        await recorder.waitUntilStalled()
        async let second = recorder.deliver(makeDelivery("b"))
        await recorder.waitUntilStalled(count: 2)
        #expect(recorder.shown.isEmpty)
        recorder.release()
        _ = try await (first, second)
        #expect(Set(recorder.shown.map(\.id)) == ["a", "b"])
    }

    @Test("A stalled call ends with its task")
    func stallIsCancellable() async {
        let recorder = RecorderBackend()
        recorder.stall([.capabilities])
        let call = Task { try await recorder.capabilities() }
        await recorder.waitUntilStalled()
        call.cancel()
        let error = await #expect(throws: NoticeError.self) { try await call.value }
        #expect(error?.code == .backendStopped)
    }

    @Test("Waiting for deliveries ends with the delivery, or with the task")
    func waitsForDeliveries() async throws {
        let recorder = RecorderBackend()
        let waiting = Task { await recorder.waitForDeliveries(1) }
        _ = try await recorder.deliver(makeDelivery("a"))
        await waiting.value
        let hopeless = Task { await recorder.waitForDeliveries(2) }
        hopeless.cancel()
        await hopeless.value
        #expect(recorder.deliveries.count == 1)
    }
}
