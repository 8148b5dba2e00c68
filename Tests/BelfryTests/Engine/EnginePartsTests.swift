import Foundation
import Testing

@testable import Belfry

@Suite("The parts of the engine")
struct EnginePartsTests {
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
