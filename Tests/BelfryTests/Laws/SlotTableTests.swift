import BelfryTestSupport
import SeededRandom
import Testing

@testable import Belfry

@Suite("The table of slots", .takesTurns)
struct SlotTableTests {
    private struct Numbered: Identifiable, Equatable {
        let id: String
        var number: Int
    }

    @Test("It holds what a dictionary holds, and a slot stays with its identifier") func oracle() {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        var (table, oracle, slots) = (SlotTable<Numbered>(), [String: Int](), [String: Int32]())
        for round in 0..<3_000 {
            let id = "id \(random.number(0...60))"
            if random.chance(60) {
                let (slot, replaced) = table.put(Numbered(id: id, number: round))
                #expect(replaced?.number == oracle[id], "seed \(seed)")
                if let known = slots[id] { #expect(slot == known, "seed \(seed)") }
                #expect(slots.allSatisfy { $0.key == id || $0.value != slot }, "seed \(seed)")
                oracle[id] = round
                slots[id] = slot
            } else {
                let slot = table.slot(of: id)
                let removed = slot.flatMap { table.remove($0) }
                #expect(removed?.number == oracle.removeValue(forKey: id), "seed \(seed)")
                #expect(slot == slots.removeValue(forKey: id), "seed \(seed)")
            }
            #expect(table[id]?.number == oracle[id] && table.slot(of: id) == slots[id], "seed \(seed)")
            #expect(table.count == oracle.count && Set(table.ids) == Set(oracle.keys), "seed \(seed)")
        }
        table.updateAll { _, value in value.number += 1 }
        #expect(oracle.allSatisfy { table[$0.key]?.number == $0.value + 1 })
    }

    @Test("Slots are used again, so that arrays beside the table stay small") func reuse() throws {
        var table = SlotTable<Numbered>()
        for round in 0..<10_000 {
            let slot = table.put(Numbered(id: "\(round)", number: round)).slot
            #expect(slot < 3)
            guard round >= 2 else { continue }
            let earlier = try #require(table.slot(of: "\(round - 2)"))
            #expect(table.remove(earlier)?.number == round - 2)
        }
    }
}
