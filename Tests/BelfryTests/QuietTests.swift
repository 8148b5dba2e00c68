import Belfry
import BelfryTestSupport
import Foundation
import Testing

@Suite("Waiting until nothing is under way", .takesTurns, .timeLimit(.minutes(5)))
struct QuietTests {
    /// Tells of closings of nobody's notices, from a thread of its own, as a bus does.
    private struct ChattingBackend: DeliveryBackend {
        let name = "chatting"
        let count: Int

        func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
            DeliveryCapabilities(server: name, features: [])
        }

        func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
            DeliveryReceipt(backend: name, handle: delivery.id, server: name)
        }

        func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}

        func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
            let count = count
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    for number in 0..<count {
                        report(.closed(DeliveryReceipt.Reference(handle: "\(number)", server: "chatting"), .expired))
                        // Seldom enough that all is quiet in between.
                        usleep(100)
                    }
                    continuation.resume()
                }
            }
        }
    }

    @Test("Whoever waits is told, whatever a server says in that moment") func chatter() async throws {
        let app = AppIdentity(id: "org.example.Quiet")
        let center = NoticeCenter(app: app, backend: ChattingBackend(count: 5_000))
        try await center.run { center in
            await withTaskGroup(of: Void.self) { group in
                // So many that something is said while they are told.
                for _ in 0..<1_000 { group.addTask { for _ in 0..<20 { await center.quiet() } } }
            }
        }
    }
}
