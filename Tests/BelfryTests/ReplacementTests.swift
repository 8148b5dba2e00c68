import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

@testable import Belfry

@Suite("A notice that comes in place of one that the user deals with meanwhile", .takesTurns)
struct ReplacementTests {
    /// Shows a second firing in place of the first one, and takes its time over it.
    private struct Replacing {
        let gate = Gate()
        let begun = Gate()

        func backend() -> ModelBackend {
            ModelBackend { delivery, number, _ in
                if number == 2 {
                    begun.open()
                    await gate.wait()
                }
                let handle = delivery.replaces?.handle ?? "\(number)"
                return DeliveryReceipt(backend: "model", handle: handle, server: "s1")
            }
        }

        func run(
            _ backend: ModelBackend,
            _ body: @escaping @Sendable (NoticeCenter) async throws -> Void
        ) async throws {
            try await NoticeCenter.onModel(backend, clock: ManualTriggerClock()) { center in
                try await center.add(.sample("x"))
                await center.quiet()
                var second = NoticeRequest.sample("x")
                second.content.title = "Second"
                second.content.reportsDismissal = true
                try await center.add(second)
                await begun.wait()
                try await body(center)
            }
        }
    }

    private static let first = DeliveryReceipt.Reference(handle: "1", server: "s1")

    private static func takeIn(_ center: NoticeCenter) async {
        await center.embedded.processArrivals()
        await center.embedded.fence()
    }

    @Test("A click on the old one, and its closing, leave the new one where it is") func answered() async throws {
        let replacing = Replacing()
        let backend = replacing.backend()
        try await replacing.run(backend) { center in
            backend.click("1")
            backend.post(.closed(Self.first, .dismissed))
            await Self.takeIn(center)
            replacing.gate.open()
            await center.quiet()
            #expect(backend.withdrawn == [])
            #expect(try await center.delivered().map(\.content.title) == ["Second"])
            let outcomes = try await center.history().map(\.outcome)
            #expect(outcomes == [.delivered, .responded, .delivered])
            // From then on the handle is the new one's.
            backend.post(.closed(Self.first, .dismissed))
            await center.quiet()
            #expect(try await center.history().map(\.outcome).suffix(2) == [.closed, .responded])
        }
    }

    @Test("What a server tells of a new notice is held until its receipt is there, also after the old one was closed")
    func closedThenClicked() async throws {
        let replacing = Replacing()
        let backend = replacing.backend()
        try await replacing.run(backend) { center in
            var answers = await center.responses().makeAsyncIterator()
            backend.post(.closed(Self.first, .expired))
            backend.click("1")
            await Self.takeIn(center)
            replacing.gate.open()
            await center.quiet()
            #expect(await answers.next()?.request?.content.title == "Second")
            let standing = try await center.delivered()
            #expect(standing.isEmpty)
        }
    }

    @Test("Taking the old one down does not take down what has replaced it") func removedMeanwhile() async throws {
        let replacing = Replacing()
        let backend = replacing.backend()
        try await replacing.run(backend) { center in
            async let removal: Void = center.removeDelivered("x")
            while await center.embedded.schedule.notices["x"]?.delivered != nil { await center.embedded.fence() }
            replacing.gate.open()
            try await removal
            await center.quiet()
            #expect(backend.withdrawn == [])
            #expect(try await center.delivered().map(\.content.title) == ["Second"])
        }
    }

    @Test("What a delivery replaces is what is there when the backend gets it, after the app was asked")
    func readAtLaunch() async throws {
        let (asked, gate) = (Gate(), Gate())
        let count = Mutex(0)
        let options = CenterOptions(
            appTimeout: .seconds(600),
            contentProvider: { delivery in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 2 {
                    asked.open()
                    await gate.wait()
                }
                return delivery.content
            }
        )
        let backend = ModelBackend()
        try await NoticeCenter.onModel(backend, clock: ManualTriggerClock(), options: options) { center in
            try await center.add(.sample("x"))
            await center.quiet()
            try await center.add(.sample("x"))
            await asked.wait()
            backend.post(.closed(Self.first, .expired))
            await Self.takeIn(center)
            gate.open()
            await center.quiet()
            #expect(backend.deliveries.map(\.replaces?.handle) == [nil, nil])
        }
    }
}
