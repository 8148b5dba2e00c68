import BelfryTestSupport
import SeededRandom
import Testing

@testable import Belfry

@Suite("The queue that gives what came first", .takesTurns)
struct FIFOQueueTests {
    @Test("It holds what an array holds, in its order") func oracle() {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        var (queue, oracle) = (FIFOQueue<Int>(), [Int]())
        for round in 0..<5_000 {
            switch random.number(0...99) {
            case 0..<52:
                queue.append(round)
                oracle.append(round)
            case 52..<97:
                let first = queue.popFirst()
                #expect(first == (oracle.isEmpty ? nil : oracle.removeFirst()), "seed \(seed)")
            case 97..<99:
                let earlier = Array(round..<round + random.number(0...3))
                queue.prepend(contentsOf: earlier)
                oracle = earlier + oracle
            default:
                let all = queue.removeAll()
                #expect(all == oracle, "seed \(seed)")
                oracle = []
            }
            #expect(queue.count == oracle.count && queue.isEmpty == oracle.isEmpty, "seed \(seed)")
            #expect(queue.first == oracle.first, "seed \(seed)")
        }
    }

    @Test("Only the first arrival of several has to be reported, and all are taken together") func inbox() {
        let inbox = Inbox<Int>()
        let isFirst = inbox.put(1)
        let isSecond = inbox.put(2)
        #expect(isFirst && !isSecond && !inbox.isEmpty)
        #expect(inbox.takeAll() == [1, 2])
        #expect(inbox.isEmpty && inbox.takeAll().isEmpty)
        let isFirstAgain = inbox.put(3)
        #expect(isFirstAgain)
    }
}
