import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Requests that are posted without waiting for them", .takesTurns)
struct PostingTests {
    @Test("They are added in the order in which they were posted, and a run ends when all of them are") func order()
        async throws
    {
        let recorder = RecorderBackend()
        let ids = (1...200).map { "posted \($0)" }
        let center = NoticeCenter(app: World.app, backend: recorder, clock: .manual(ManualTriggerClock()))
        try await center.run { center in
            for id in ids { center.post(.sample(id)) }
        }
        #expect(recorder.deliveries.map(\.requestID) == ids)
    }

    @Test("A run whose body throws ends when all of them are added, too") func bodyThrows() async throws {
        struct Broken: Error {}
        let recorder = RecorderBackend()
        let ids = (1...200).map { "posted \($0)" }
        let center = NoticeCenter(app: World.app, backend: recorder, clock: .manual(ManualTriggerClock()))
        await #expect(throws: Broken.self) {
            try await center.run { center in
                for id in ids { center.post(.sample(id)) }
                throw Broken()
            }
        }
        #expect(recorder.deliveries.map(\.requestID) == ids)
    }

    @Test("What is wrong with one is an event that names it, and the others are added") func refused() async throws {
        let center = NoticeCenter(
            app: World.app,
            backend: RecorderBackend(),
            clock: .manual(ManualTriggerClock())
        )
        try await center.run { center in
            let events = await center.events()
            center.post(.sample("too often", .every(.seconds(1))))
            center.post(.sample("fine", .after(.seconds(60))))
            for await case .error(let error) in events {
                #expect(error.code == .intervalTooShort && error.requestID == "too often")
                #expect(error.message.hasPrefix("'too often' was posted and not added: "))
                break
            }
        }
        #expect(try await center.pending().map(\.id) == ["fine"])
    }

    @Test("A content alone is shown under an identifier of its own, or replaces the one it names") func content()
        async throws
    {
        let recorder = RecorderBackend()
        let center = NoticeCenter(app: World.app, backend: recorder, clock: .manual(ManualTriggerClock()))
        try await center.run { center in
            let first = try await center.show(NoticeContent(title: "One"))
            let second = try await center.show(NoticeContent(title: "Two"), id: first.requestID)
            #expect(second.requestID == first.requestID)
            #expect(try await center.delivered().map(\.content.title) == ["Two"])
        }
    }
}
