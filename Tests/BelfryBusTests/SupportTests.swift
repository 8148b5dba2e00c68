import BelfryLoop
import BelfryTestSupport
import Testing

@testable import BelfryBus

@Suite("The parts that backends share", .takesTurns, .timeLimit(.minutes(1))) struct SupportTests {
    @Test("whoever waits at the gate is always woken, however short the limit")
    func gate() async {
        let gate = StartGate<Int>(on: EventLoop(named: "test"))
        for round in 0..<20_000 { #expect(await gate.wait(within: .nanoseconds(round % 3 * 500)) == nil) }
        async let waiting = gate.wait(within: .seconds(3600))
        #expect(gate.open(1))
        #expect(await waiting == 1)
        #expect(!gate.open(2))
        #expect(await gate.wait(within: .zero) == 1)
    }

    @Test("the newest entries are kept, and what is inserted again is new again")
    func newest() {
        var entries = NewestEntries<Int, String>(limit: 3)
        for key in 1...6 { entries.insert("\(key)", for: key) }
        entries.insert("1 again", for: 1)
        entries[6] = "6 changed"
        entries[99] = "nobody"
        #expect(entries.count == 6)
        entries.insert("7", for: 7)
        #expect(entries.all == [1: "1 again", 6: "6 changed", 7: "7"])
        entries[6] = nil
        #expect(entries.all == [1: "1 again", 7: "7"])
        for key in 0..<10_000 {
            entries.insert("", for: key)
            #expect(entries.count <= 6)
        }
        #expect(Set(entries.all.keys).isSuperset(of: [9997, 9998, 9999]))
    }

    @Test("an apostrophe is written as the bus reads it", arguments: ["it's", "it'\u{301}s", "'", "''\u{308}'"])
    func apostrophes(text: String) throws {
        let rule = try BusMatch(arguments: [0: text]).rule()
        let quoted = Array(rule.utf8.dropFirst("type='signal',arg0='".utf8.count).dropLast())
        // As the bus does: a quote ends the quotes, \' outside of them is an apostrophe.
        var (isQuoted, isEscaped, read) = (true, false, [UInt8]())
        for byte in quoted {
            switch byte {
            case UInt8(ascii: "'") where isEscaped: (isEscaped, read) = (false, read + [byte])
            case UInt8(ascii: "'"): isQuoted.toggle()
            case UInt8(ascii: "\\") where !isQuoted: isEscaped = true
            default: read.append(byte)
            }
        }
        #expect(isQuoted && read == Array(text.utf8))
    }
}
