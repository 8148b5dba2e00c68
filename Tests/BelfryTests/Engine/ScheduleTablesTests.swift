import BelfryTestSupport
import Testing

@testable import Belfry

@Suite("The schedule's smaller tables", .takesTurns)
struct ScheduleTablesTests {
    @Test(
        "A delivery has an identifier of the revision, the firing and the time, in base 36",
        arguments: [
            (1, 0, 0), (35, 36, 1_767_225_600_000_000), (1_295, 1_296, -5_000), (.max, .max, .max),
        ] as [(Int64, Int, Int64)]
    )
    func deliveryID(revision: Int64, fired: Int, wall: Int64) {
        let numbers = [revision.magnitude, UInt64(fired), (wall / 1_000).magnitude]
        let id = Schedule.deliveryID(revision: revision, fired: fired, at: TriggerInstant(wall: wall, boot: 0))
        #expect(id == numbers.map { String($0, radix: 36) }.joined(separator: "-"))
    }

    @Suite("Transactions that failed", .takesTurns) struct Transactions {
        private var log = TransactionLog()

        private mutating func fail(isFact: Bool, removing id: String, at boot: Int64) -> [StoreChange] {
            log.current = ScheduleTransaction(isFact: isFact)
            log.current.records.append(.removeDelivery(id: id))
            let transaction = log.take()
            log.fail(transaction, at: boot)
            return transaction.records
        }

        @Test("Each pause is twice as long as the last, a minute at most, and as long for all that fail in it")
        mutating func pauses() {
            var (now, pauses): (Int64, [Int64]) = (0, [])
            for _ in 0..<8 {
                _ = fail(isFact: false, removing: "a", at: now)
                _ = fail(isFact: false, removing: "b", at: now)
                let end = log.pausedUntil ?? now
                pauses.append((end - now) / 1_000_000)
                now = end
            }
            #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
            log.succeed()
            #expect(log.pausedUntil == nil)
            _ = fail(isFact: false, removing: "a", at: now)
            #expect(log.pausedUntil == now + 1_000_000)
        }

        @Test("Facts go with the next transaction, in the order in which they happened; wishes are gone")
        mutating func facts() {
            _ = fail(isFact: true, removing: "first", at: 0)
            _ = fail(isFact: false, removing: "wish", at: 0)
            let carried: [StoreChange] = [.removeDelivery(id: "first"), .removeDelivery(id: "second")]
            #expect(fail(isFact: true, removing: "second", at: 0) == carried)
            #expect(log.unsaved == carried)
            let nothing = log.take()
            #expect(nothing.records.isEmpty, "while it is paused they wait for something to be stored")
            log.endPause()
            let next = log.take()
            #expect(next.records == carried && next.carriedCount == 2 && log.unsaved.isEmpty)
        }
    }

    @Test("Of a fact nothing is remembered to be undone") func undo() {
        var fact = ScheduleTransaction(isFact: true)
        var wish = ScheduleTransaction()
        fact.remember { $0.isRunning = true }
        wish.remember { $0.isRunning = true }
        #expect(fact.undo.isEmpty && wish.undo.count == 1)
    }

    @Test("A clock in doubt is looked at every five seconds, and not after its end") func doubt() {
        let stored = ClockMapping.Doubt(ahead: 1, until: ClockDoubt.limit, convertedBelow: 0)
        var doubt = ClockDoubt(stored, at: 0)
        doubt.look(at: 4_999_999)
        #expect(doubt.nextLook == 5_000_000)
        doubt.look(at: 7_000_000)
        #expect(doubt.nextLook == 12_000_000)
        doubt.look(at: 119_000_000)
        #expect(doubt.nextLook == 120_000_000 && doubt.until == 120_000_000)
    }

    @Suite("Arrivals", .takesTurns) struct Arrivals {
        private let rule = SummaryRule(ThreadSummary(moreThan: 2, within: .microseconds(10), title: "{count}"))
        private var table = ArrivalTable()

        private func arrival(_ id: String, _ boot: Int64) -> ArrivalTable.Arrival {
            let record = DeliveryRecord(
                id: id,
                requestID: id,
                revision: 1,
                dueAt: TriggerInstant(wall: 0, boot: boot),
                traits: DeliveryTraits(NoticeRequest(id: id, title: "Title"))
            )
            return .init(record, rule, at: boot)
        }

        @Test("They count for a summary within its span, each request once") mutating func recent() {
            table["thread"] = [arrival("a", 0), arrival("b", 5), arrival("c", 9)]
            #expect(table.recent(in: "thread", rule, at: 10, besides: "c").map(\.member.requestID) == ["b"])
            #expect(table.recent(in: "other", rule, at: 10, besides: "c").isEmpty)
            table["thread"] = []
            #expect(table.threads.isEmpty)
        }

        @Test("Threads that get no more notices are forgotten") mutating func forgotten() {
            for number in 0..<10_000 {
                table["\(number)"] = [arrival("a", Int64(number)), arrival("b", Int64(number))]
                #expect(table.threads.count <= 1_024)
            }
            #expect(Set((9_990..<10_000).map(String.init)).isSubset(of: table.threads))
            // As many as arrive within the span are kept.
            for number in 10_000..<20_000 { table["\(number)"] = [arrival("a", 10_000)] }
            #expect(table.threads.count >= 10_000)
        }
    }
}
