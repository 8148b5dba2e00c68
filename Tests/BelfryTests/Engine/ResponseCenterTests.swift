import BelfryTestSupport
import Foundation
import Synchronization
import Testing

@testable import Belfry

@Suite("Responses that nobody has handled yet", .takesTurns)
struct ResponseCenterTests {
    private struct Taker: NoticeCenterDelegate {}

    /// Notes what has arrived.
    private final class Relay: ResponseRelay {
        private let ids = Mutex<[String]>([])
        var arrived: [String] { ids.withLock { $0 } }

        func arrived(_ response: NoticeResponse) { ids.withLock { $0.append(response.id) } }
        func relay(_ response: NoticeResponse) async -> Bool { false }
    }

    private static func center(_ delegate: (any NoticeCenterDelegate)?, _ ids: String...) -> ResponseCenter {
        var center = ResponseCenter()
        center.delegate = delegate
        for id in ids {
            center.append(
                NoticeResponse(
                    id: id,
                    requestID: "r",
                    deliveryID: "d",
                    kind: .opened,
                    date: Date(timeIntervalSince1970: 0)
                )
            )
        }
        return center
    }

    @Test("The delegate gets them in order, from one caller at a time") func order() throws {
        var center = Self.center(Taker(), "a", "b")
        let (isFirst, isSecond) = (center.begin(), center.begin())
        #expect(isFirst && !isSecond && center.isHandlerAtWork)
        let (first, second, last) = (center.next(), center.next(), center.next())
        #expect([first?.response.id, second?.response.id, last?.response.id] == ["a", "b", nil])
        #expect(center.isEmpty && !center.isHandlerAtWork)
        let beginsInVain = center.begin()
        #expect(!beginsInVain)
    }

    @Test("Without a delegate nobody begins, and one that goes ends the turn") func noDelegate() {
        var center = Self.center(nil, "a")
        let beginsInVain = center.begin()
        #expect(!beginsInVain)
        center.delegate = Taker()
        let begins = center.begin()
        center.delegate = nil
        let next = center.next()
        #expect(begins && next == nil && !center.isEmpty)
    }

    @Test("A response that could not be passed on keeps its position, and is offered again where somebody has come")
    func puttingBack() throws {
        let relay = Relay()
        var center = Self.center(relay, "a", "b")
        #expect(relay.arrived == ["a", "b"])
        let isFirst = center.begin()
        #expect(isFirst && !center.isHandlerAtWork, "a relay waits for another process")
        var next = center.next()
        var taken = try #require(next)
        let mustLookAgain = center.putBack(taken.response, at: taken.index)
        #expect(!mustLookAgain, "nobody has come")
        let isFirstAgain = center.begin()
        next = center.next()
        taken = try #require(next)
        #expect(isFirstAgain && taken.response.id == "a")
        let isSecond = center.begin()
        #expect(!isSecond, "somebody is at it")
        let mustLookNow = center.putBack(taken.response, at: taken.index)
        #expect(mustLookNow)
        next = center.next()
        taken = try #require(next)
        #expect(taken.response.id == "a")
    }

    @Test("What a relay has in hand counts until its receiver has taken it") func inHand() {
        var center = Self.center(Relay(), "a")
        let begins = center.begin()
        let taken = center.next()
        #expect(begins && taken?.response.id == "a" && !center.isEmpty)
        let last = center.next()
        #expect(last == nil && center.isEmpty)
    }

    @Test("What a listener has in hand the delegate doesn't get; what is released comes back") func listeners()
        async throws
    {
        let settled = Mutex<[ResponseListeners.Outcome]>([])
        var center = Self.center(nil, "a", "b")
        let offer = { (center: inout ResponseCenter) in
            center.offer {
                $0
            } settle: { _, outcome in
                settled.withLock { $0.append(outcome) }
            }
        }
        offer(&center)
        center.delegate = Taker()
        var begins = center.begin()
        #expect(begins, "nobody listened")
        let next = center.next()
        let first = try #require(next)
        #expect(first.response.id == "a")
        _ = center.putBack(first.response, at: first.index)
        do {
            let listener = center.listen()
            offer(&center)
            begins = center.begin()
            #expect(!begins, "a listener has both in hand")
            var iterator = listener.makeAsyncIterator()
            let heard = await iterator.next()
            #expect(heard?.id == "a")
        }
        #expect(settled.withLock { $0.sorted { "\($0)" < "\($1)" } } == [.handled, .released])
        begins = center.begin()
        #expect(!begins, "the engine has not been told yet that one is handled")
        center.release("b")
        let (wasThere, isThere) = (center.remove("a"), center.remove("a"))
        #expect(wasThere && !isThere)
        begins = center.begin()
        let released = center.next()
        #expect(begins && released?.response.id == "b")
    }

    @Test("Responses of one instant have different numbers") func serials() {
        var center = ResponseCenter()
        let numbers = [center.nextSerial(), center.nextSerial()]
        #expect(numbers[0] != numbers[1])
    }
}
