import BelfryTestSupport
import SeededRandom
import Testing

@testable import Belfry

@Suite("The queue of deadlines", .takesTurns)
struct DeadlineQueueTests {
    /// What the queue should be, in O(n).
    private struct SortedQueue {
        var items: [DeadlineQueue.Item] = []
        mutating func remove(_ slot: Int32) { items.removeAll { $0.slot == slot } }
        mutating func set(_ item: DeadlineQueue.Item) {
            remove(item.slot)
            items.append(item)
            items.sort { $0 < $1 }
        }
    }

    @Test("It gives out what a sorted array gives out, whatever is done to it")
    func oracle() {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            var (queue, oracle, order) = (DeadlineQueue(), SortedQueue(), Int64(0))
            for _ in 0..<200 {
                let slot = Int32(random.number(0...40))
                switch random.number(0...12) {
                case 0...5:
                    order += 1
                    let item = DeadlineQueue.Item(deadline: Int64(random.number(-20...20)), order: order, slot: slot)
                    queue.set(slot: slot, deadline: item.deadline, order: item.order)
                    oracle.set(item)
                case 6: queue.remove(slot: slot); oracle.remove(slot)
                case 7:
                    let now = Int64(random.number(-20...20))
                    let expected = oracle.items.first.flatMap { $0.deadline <= now ? $0 : nil }
                    if let expected { oracle.remove(expected.slot) }
                    #expect(queue.popFirst(dueAt: now) == expected, "seed \(seed)")
                case 8:
                    queue.set(slot: slot, deadline: nil, order: order)
                    oracle.remove(slot)
                case 9:
                    let now = Int64(random.number(-20...20))
                    let expected = oracle.items.filter { $0.deadline <= now }
                    oracle.items.removeAll { $0.deadline <= now }
                    #expect(queue.popAll(dueAt: now) == expected, "seed \(seed)")
                case 10: queue = DeadlineQueue(oracle.items.reversed())
                case 11:
                    let (now, limit) = (Int64(random.number(-20...20)), random.number(0...40))
                    let expected = oracle.items.count { $0.deadline <= now }
                    #expect(queue.dueCount(at: now, upTo: limit) == min(expected, limit), "seed \(seed)")
                default: #expect(queue.contains(slot: slot) == oracle.items.contains { $0.slot == slot })
                }
                #expect(queue.brokenInvariant == nil, "seed \(seed)")
                #expect(queue.first == oracle.items.first, "seed \(seed)")
                #expect(queue.count == oracle.items.count, "seed \(seed)")
            }
            var rest: [DeadlineQueue.Item] = []
            while let item = queue.popFirst(dueAt: .max) { rest.append(item) }
            #expect(rest == oracle.items, "seed \(seed)")
        }
    }

    @Test("Equal deadlines come out in the order of adding") func ties() {
        var queue = DeadlineQueue()
        for slot in (0..<100 as Range<Int32>).reversed() { queue.set(slot: slot, deadline: 7, order: Int64(slot)) }
        var slots: [Int32] = []
        while let item = queue.popFirst(dueAt: 7) { slots.append(item.slot) }
        #expect(slots == Array(0..<100))
    }

    @Test("What is not due stays") func notDue() {
        var queue = DeadlineQueue()
        queue.set(slot: 3, deadline: 10, order: 1)
        #expect(queue.popFirst(dueAt: 9) == nil)
        #expect(queue.popFirst(dueAt: 10)?.slot == 3)
        #expect(queue.popFirst(dueAt: .max) == nil)
        queue.remove(slot: 3)
        queue.remove(slot: 1_000)
        #expect(queue.count == 0)
    }
}
