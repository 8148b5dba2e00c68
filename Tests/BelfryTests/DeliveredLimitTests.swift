import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("The list of delivered notices, where no server reports closings", .takesTurns, .timeLimit(.minutes(10)))
struct DeliveredLimitTests {
    private let store = MemoryRequestStore()
    private let clock = ManualTriggerClock(date: World.start, patience: World.patience)

    private func run(_ body: @escaping @Sendable (NoticeCenter, ModelBackend) async throws -> Void) async throws {
        let backend = ModelBackend { delivery, _, _ in
            DeliveryReceipt(backend: "model", handle: delivery.requestID, server: "s1")
        }
        try await NoticeCenter.onModel(backend, clock: clock, store: store) { try await body($0, backend) }
    }

    @Test("It keeps the newest 5,000, over a restart too; no response comes to those that have left it")
    func limit() async throws {
        try await run { center, _ in
            try await center.add(.sample("added first, shown last", .after(.seconds(60))))
            try await center.add((1..<5_000).map { .sample("\($0)") })
            try await clock.advance(by: .seconds(60))
            await center.quiet()
            #expect(try await center.delivered().count == 5_000)
        }
        try await run { center, backend in
            for id in ["new", "newer", "newer"] { try await center.add(.sample(id)) }
            await center.quiet()
            backend.click("1")
            await center.quiet()
            let ids = Set(try await center.delivered().map(\.requestID))
            #expect(ids == Set((3..<5_000).map(String.init) + ["added first, shown last", "new", "newer"]))
            let last = try await center.history(HistoryQuery(requestID: "1"))
            #expect(last.map(\.outcome) == [.delivered, .closed])
            #expect(last.last?.detail == "5000 notices were shown since")
        }
    }
}
