import Foundation
import Testing

@testable import Belfry

@Suite("The parts of the engine")
struct EnginePartsTests {
    private static let clicked = BackendEvent.answered(
        ReceiptReference(handle: "1", server: "s"),
        action: "default",
        text: nil,
        activationToken: nil
    )
    private static let closed = BackendEvent.closed(ReceiptReference(handle: "1", server: "s"), .expired)
    private static let key = ReceiptKey(backend: "b", server: "s", handle: "1")

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

    @Test("Of early events that nobody takes the newest are kept") func earlyLimit() {
        var early = EarlyEvents()
        early.beginDelivery()
        for number in 0..<EarlyEvents.limit + 10 {
            let error = NoticeError(.serverTimedOut, "\(number)")
            early.hold(.problem(error), of: Self.key, from: "b")
        }
        let kept = early.resolve(1)
        #expect(kept.count == EarlyEvents.limit)
        guard case .from(_, .problem(let first))? = kept.first else {
            Issue.record("nothing was kept")
            return
        }
        #expect(first.message == "10")
    }

    // MARK: The lane

    @Test("One works off the lane, and knows of the withdrawals in it") func lane() {
        let receipt = DeliveryReceipt(backend: "b", handle: "1")
        var lane = DeliveryLane()
        let isFirst = lane.append(.withdraw(receipt))
        #expect(isFirst && lane.isBusy && lane.hasWithdrawals)
        let isSecond = lane.append(.mark {})
        #expect(!isSecond)
        guard case .withdraw(receipt)? = lane.next() else {
            Issue.record("not in order")
            return
        }
        #expect(lane.hasWithdrawals, "it is gone when the backend says so")
        lane.hasWithdrawn()
        #expect(!lane.hasWithdrawals)
        _ = lane.next()
        #expect(lane.isBusy)
        _ = lane.next()
        #expect(!lane.isBusy, "nothing is left")
        let isFirstAgain = lane.append(.mark {})
        #expect(isFirstAgain)
    }

    // MARK: The window

    @Test("A prompt backend gets more deliveries at a time, up to the limit; one slow answer, or none, makes it one")
    func window() {
        var window = DeliveryWindow(largest: 3)
        for size in [2, 3, 3] {
            window.begin()
            window.end(after: .milliseconds(1))
            #expect(window.size == size && window.count == 0)
        }
        window.begin()
        window.end(after: DeliveryWindow.promptAnswer)
        #expect(window.size == 1)
        window.begin()
        window.end(after: .zero)
        window.begin()
        window.end(after: nil)
        #expect(window.size == 1)
    }

    // MARK: Responses

    private static func response(_ id: String) -> NoticeResponse {
        NoticeResponse(id: id, requestID: "r", deliveryID: "d", kind: .opened, at: Date(timeIntervalSince1970: 0))
    }

    @Test("A response that could not be passed on keeps its place, and is offered again where somebody has come")
    func responses() throws {
        var unclaimed = UnclaimedResponses()
        for id in ["a", "b", "c"] { unclaimed.append(Self.response(id)) }
        let isFirst = unclaimed.begin(hasNext: true)
        #expect(isFirst && unclaimed.isBeingHandled)
        let next = unclaimed.takeNext { $0.id != "a" }
        let taken = try #require(next)
        #expect(taken.response.id == "b")
        let mustLookAgain = unclaimed.putBack(taken.response, at: taken.index)
        #expect(!mustLookAgain, "nobody has come")
        #expect(unclaimed.all.map(\.id) == ["a", "b", "c"])
        _ = unclaimed.takeNext { $0.id != "a" }
        let isSecond = unclaimed.begin(hasNext: true)
        #expect(!isSecond, "somebody is at it")
        let mustLookNow = unclaimed.putBack(taken.response, at: taken.index)
        #expect(mustLookNow)
        unclaimed.end()
        let beginsInVain = unclaimed.begin(hasNext: false)
        #expect(!beginsInVain && !unclaimed.isBeingHandled)
        let (wasThere, isThere) = (unclaimed.remove("c"), unclaimed.remove("c"))
        #expect(wasThere && !isThere)
        let serials = [unclaimed.nextSerial(), unclaimed.nextSerial()]
        #expect(serials[0] != serials[1])
    }

    // MARK: The desktop's word

    @Test("What the desktop has said holds for five seconds, and not when the clock went back") func desktopWord() {
        var word = DesktopWord()
        #expect(word.value(at: 0) == nil && word.value == nil)
        word.noteSilence()
        word.keep(.off, at: 10_000_000)
        #expect(!word.isSilent)
        #expect(word.value(at: 14_999_999) == .off)
        #expect(word.value(at: 15_000_000) == nil && word.value(at: 9_999_999) == nil)
        #expect(word.value == .off, "the last word is known all the same")
    }
}
