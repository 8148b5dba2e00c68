import BelfryTestSupport
import BelfryTesting
import Synchronization
import Testing

@testable import Belfry

@Suite("Deliveries under way together", .takesTurns, .timeLimit(.minutes(5)))
struct DeliveryOrderTests {
    /// Notes the order in which deliveries begin, and how many are under way.
    private final class AnsweringBackend: DeliveryBackend {
        private struct State {
            var begun: [String] = []
            var underWay = 0
            var mostUnderWay = 0
            var answered = 0
            var waiter: CheckedContinuation<Void, Never>?
            var held: CheckedContinuation<Void, Never>?
        }

        let name = "answering"
        private let expected: Int
        private let state = Mutex(State())

        init(expecting count: Int) { expected = count }

        var begun: [String] { state.withLock { $0.begun } }
        var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

        func allAnswered() async {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.answered < expected { state.waiter = continuation }
                    return state.answered >= expected
                }
                if isDone { continuation.resume() }
            }
        }

        func capabilities() -> DeliveryCapabilities { DeliveryCapabilities(server: name, features: []) }

        /// The first is answered at once, so that the center may give more at a time; each further one when the next
        /// has begun.
        func deliver(_ delivery: Delivery) async -> DeliveryReceipt {
            let (before, isHeld) = state.withLock { state in
                state.begun.append(delivery.requestID)
                state.underWay += 1
                state.mostUnderWay = max(state.mostUnderWay, state.underWay)
                defer { state.held = nil }
                return (state.held, state.begun.count > 1 && state.begun.count < expected)
            }
            before?.resume()
            if isHeld { await withCheckedContinuation { continuation in state.withLock { $0.held = continuation } } }
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                state.underWay -= 1
                state.answered += 1
                guard state.answered == expected else { return nil }
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
            return DeliveryReceipt(backend: name, handle: delivery.id)
        }

        func withdraw(_ receipt: DeliveryReceipt) {}
        func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) {}
    }

    @Test("What is due together is begun in the order of adding, several at a time, and all of it stands in the end")
    func order() async throws {
        let count = 2_000
        let backend = AnsweringBackend(expecting: count)
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Order"),
            backend: backend,
            clock: .manual(ManualTriggerClock())
        )
        let standing = try await center.run { center in
            try await center.add((0..<count).map { NoticeRequest(id: "notice \($0)", title: "Notice \($0)") })
            await backend.allAnswered()
            return center
        }
        #expect(backend.begun == (0..<count).map { "notice \($0)" })
        let window = await standing.embedded.largestWindow
        #expect(backend.mostUnderWay > 1 && backend.mostUnderWay <= window)
        #expect(try await standing.delivered().map(\.requestID).sorted() == backend.begun.sorted())
    }

    /// Begins a call for each notice, and lets the backend go on when all of them wait for it.
    private static func check(
        _ center: NoticeCenter,
        _ count: Int,
        opening gate: Gate,
        _ call: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let calls = (0..<count).map { number in Task { try await call("\(number)") } }
        while await center.embedded.leftToBackend < count { await center.embedded.fence() }
        for _ in 0..<100 { await CenterThread.shared.letOthersWork() }
        // The deliveries behind the first one wait for room.
        #expect(await center.embedded.waiterCount <= 1)
        gate.open()
        for call in calls { try await call.value }
        #expect(await center.embedded.leftToBackend == 0)
    }

    @Test("Removals that wait for the backend are not looked at whenever something ends: there may be thousands")
    func waitingRemovals() async throws {
        let (gate, begun, count) = (Gate(), Gate(), 5)
        let backend = ModelBackend { _, number, _ in
            begun.open()
            await gate.wait()
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        try await NoticeCenter.onModel(backend, clock: ManualTriggerClock()) { center in
            let requests = (0..<count).map { NoticeRequest.sample("\($0)") }
            try await center.add(requests)
            await begun.wait()
            try await Self.check(center, count, opening: gate) { try await center.remove($0) }
            #expect(backend.deliveries.count == 1 && backend.withdrawn == ["1"])
            try await center.add(requests)
            await center.quiet()
            backend.withdrawals.close()
            try await Self.check(center, count, opening: backend.withdrawals) { try await center.removeDelivered($0) }
            #expect(backend.deliveries.count == 1 + count && backend.withdrawn.count == 1 + count)
        }
    }
}
