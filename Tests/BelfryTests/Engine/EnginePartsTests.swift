import Foundation
import Testing

@testable import Belfry

@Suite("The parts of the engine")
struct EnginePartsTests {
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
