import BelfryTestSupport
import BelfryTesting
import Synchronization
import Testing

@testable import Belfry

@Suite("Deliveries under way together", .takesTurns, .timeLimit(.minutes(2)))
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
}
