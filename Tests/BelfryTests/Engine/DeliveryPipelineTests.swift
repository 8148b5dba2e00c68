import BelfryTestSupport
import Testing

@testable import Belfry

@Suite("What the backend is to do", .takesTurns)
struct DeliveryPipelineTests {
    private static let clicked = BackendEvent.responded(
        DeliveryReceipt.Reference(handle: "1", server: "s"),
        action: "default",
        text: nil,
        activationToken: nil
    )
    private static let closed = BackendEvent.closed(DeliveryReceipt.Reference(handle: "1", server: "s"), .expired)
    private static let key = ReceiptKey(backend: "b", server: "s", handle: "1")

    private static let receipt = DeliveryReceipt(backend: "b", handle: "1", server: "s")

    private static let order = DeliveryOrder(
        record: DeliveryRecord(
            id: "d",
            requestID: "r",
            revision: 1,
            dueAt: TriggerInstant(wall: 0, boot: 0),
            traits: DeliveryTraits(NoticeRequest(id: "r", title: "R"))
        ),
        isPossiblyRepeated: false
    )

    // MARK: The order

    @Test("One works it off in order, and it counts the withdrawals that are over") func order() {
        var pipeline = DeliveryPipeline(largestWindow: 1)
        let beginsInVain = pipeline.begin()
        #expect(!beginsInVain && pipeline.isIdle)
        pipeline.append(.withdraw(Self.receipt))
        pipeline.append(.deliver(Self.order))
        let (isFirst, isSecond) = (pipeline.begin(), pipeline.begin())
        #expect(isFirst && !isSecond && pipeline.withdrawalCount == 1)
        guard case .withdraw(Self.receipt)? = pipeline.next() else {
            Issue.record("not in order")
            return
        }
        #expect(pipeline.withdrawnCount == 0, "it is gone when the backend says so")
        pipeline.hasWithdrawn()
        #expect(pipeline.withdrawnCount == 1)
        _ = pipeline.next()
        #expect(!pipeline.isIdle)
        let last = pipeline.next()
        #expect(last == nil && pipeline.isIdle)
        pipeline.append(.deliver(Self.order))
        let isFirstAgain = pipeline.begin()
        #expect(isFirstAgain)
    }

    @Test(
        "Receipts that come soon make room for more deliveries, up to the limit; a slow one, or none, leaves room for one"
    )
    func window() {
        var pipeline = DeliveryPipeline(largestWindow: 3)
        /// How many deliveries there is room for.
        func room() -> Int {
            var copy = pipeline
            var count = 0
            while copy.hasRoom {
                copy.beginDelivery()
                count += 1
            }
            return count
        }
        for expected in [2, 3, 3] {
            pipeline.beginDelivery()
            pipeline.endDelivery(after: .milliseconds(1))
            #expect(room() == expected && pipeline.isEmpty)
        }
        pipeline.beginDelivery()
        pipeline.endDelivery(after: DeliveryPipeline.soon)
        #expect(room() == 1)
        pipeline.beginDelivery()
        pipeline.endDelivery(after: .zero)
        #expect(room() == 2 && !pipeline.isStuck)
        pipeline.beginDelivery()
        pipeline.endDelivery(after: nil)
        #expect(room() == 1 && pipeline.isStuck)
    }

    @Test("A delivery in flight takes room until it ends") func inFlight() {
        var pipeline = DeliveryPipeline(largestWindow: 1)
        #expect(pipeline.isEmpty && pipeline.isIdle)
        pipeline.beginDelivery()
        #expect(!pipeline.hasRoom && !pipeline.isEmpty && !pipeline.isIdle)
        pipeline.endDelivery(after: .zero)
        #expect(pipeline.hasRoom && pipeline.isEmpty && pipeline.isIdle)
    }

    // MARK: Early events

    @Test("An event of an unknown handle waits while a delivery is under way, and is given back in order")
    func earlyEvents() {
        var early = EarlyEvents()
        early.hold(Self.clicked, of: Self.key, from: "b")
        var given = early.resolve(1)
        #expect(given.isEmpty, "nothing was under way")
        early.beginDelivery()
        early.hold(Self.clicked, of: Self.key, from: "b")
        early.hold(Self.closed, of: Self.key, from: "b")
        given = early.resolve(0)
        #expect(given.isEmpty)
        given = early.resolve(1)
        #expect(given.count == 2)
        given = early.resolve(1)
        #expect(given.isEmpty, "they are given back once")
    }

    @Test("What is told of a notice that was just taken down is over with its closing") func takenDown() {
        var early = EarlyEvents()
        early.beginDelivery()
        early.takeDown(Self.key)
        early.hold(Self.clicked, of: Self.key, from: "b")
        early.hold(Self.closed, of: Self.key, from: "b")
        // The next delivery has got the handle.
        early.hold(Self.clicked, of: Self.key, from: "b")
        let given = early.resolve(1)
        #expect(given.count == 1)
    }

    @Test("Once no delivery is under way, a handle that was taken down is the next notice's") func takenDownIsOver() {
        var early = EarlyEvents()
        early.beginDelivery()
        early.takeDown(Self.key)
        _ = early.resolve(1)
        early.beginDelivery()
        early.hold(Self.clicked, of: Self.key, from: "b")
        let given = early.resolve(1)
        #expect(given == [.from(backend: "b", Self.clicked)])
    }

    @Test("Of early events that nobody takes the newest are kept") func earlyLimit() {
        var early = EarlyEvents()
        early.beginDelivery()
        for number in 0..<EarlyEvents.limit + 10 {
            let error = NoticeError(.serverTimedOut, "\(number)")
            early.hold(.error(error), of: Self.key, from: "b")
        }
        let kept = early.resolve(1)
        #expect(kept.count == EarlyEvents.limit)
        guard case .from(_, .error(let first))? = kept.first else {
            Issue.record("nothing was kept")
            return
        }
        #expect(first.message == "10")
    }

    @Test("An event waits for a delivery from when that is in line, and for a receipt that is late") func earlyInLine()
    {
        var pipeline = DeliveryPipeline(largestWindow: 1)
        pipeline.append(.deliver(Self.order))
        pipeline.append(.withdraw(DeliveryReceipt(backend: "b", handle: "2", server: "s")))
        pipeline.hold(Self.clicked, of: Self.key, from: "b")
        // What is taken down has no more to say.
        pipeline.hold(Self.clicked, of: ReceiptKey(backend: "b", server: "s", handle: "2"), from: "b")
        var given = pipeline.resolve(1)
        #expect(given == [.from(backend: "b", Self.clicked)])
        pipeline.beginDelivery()
        pipeline.endDelivery(after: nil)
        pipeline.hold(Self.clicked, of: Self.key, from: "b")
        given = pipeline.resolve(1)
        #expect(given.count == 1, "its receipt may come yet")
    }
}
