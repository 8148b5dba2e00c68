import HeapModule

@testable import Belfry

/// The deadline queue alone, against swift-collections' heap.
enum QueueBenchmark {
    static let count = Effort.count(1_000_000)

    struct Deadline: Comparable {
        var deadline: Int64
        var order: Int64
        var slot: Int32

        static func < (left: Deadline, right: Deadline) -> Bool {
            (left.deadline, left.order) < (right.deadline, right.order)
        }
    }

    static func run(_ report: inout BenchmarkReport) throws {
        var random = SplitMix(state: 4_711)
        let deadlines = (0..<count).map { _ in Int64(random.below(1 << 40)) }
        var ours = DeadlineQueue()
        var theirs = Heap<Deadline>()
        let name = "Heap of swift-collections"
        let add = Alternation.medians(rounds: 5) {
            ours = DeadlineQueue()
            return Stopwatch.seconds {
                for slot in 0..<count { ours.set(slot: Int32(slot), deadline: deadlines[slot], order: Int64(slot)) }
            }
        } theirs: {
            theirs = Heap()
            return Stopwatch.seconds {
                for slot in 0..<count {
                    theirs.insert(Deadline(deadline: deadlines[slot], order: Int64(slot), slot: Int32(slot)))
                }
            }
        }
        try checkOrder(ours, theirs)
        let scale = 1e9 / Double(count)
        report.add(
            .less("deadline queue: insert, random", add.ours * scale, "ns", against: name, add.theirs * scale, toBe: 1)
        )

        let (fullOurs, fullTheirs) = (ours, theirs)
        let pop = Alternation.medians(rounds: 5) {
            ours = fullOurs
            ours.remove(slot: 0)
            ours.set(slot: 0, deadline: deadlines[0], order: 0)
            return Stopwatch.seconds { while let item = ours.popFirst(dueAt: .max) { keep(item.slot) } }
        } theirs: {
            theirs = fullTheirs
            theirs.insert(theirs.removeMin())
            return Stopwatch.seconds { while let item = theirs.popMin() { keep(item.slot) } }
        }
        report.add(
            .less(
                "deadline queue: take the first, to the last",
                pop.ours * scale,
                "ns",
                against: name,
                pop.theirs * scale,
                toBe: 1
            )
        )

        let cycle = Alternation.medians(rounds: 5) {
            ours = fullOurs
            ours.remove(slot: 0)
            ours.set(slot: 0, deadline: deadlines[0], order: 0)
            return Stopwatch.seconds {
                for round in 0..<count {
                    guard let item = ours.popFirst(dueAt: .max) else { return }
                    ours.set(slot: item.slot, deadline: item.deadline + deadlines[round], order: item.order)
                }
            }
        } theirs: {
            theirs = fullTheirs
            theirs.insert(theirs.removeMin())
            return Stopwatch.seconds {
                for round in 0..<count {
                    guard var item = theirs.popMin() else { return }
                    item.deadline += deadlines[round]
                    theirs.insert(item)
                }
            }
        }
        report.add(
            .less(
                "deadline queue: take the first and put it back later",
                cycle.ours * scale,
                "ns",
                against: name,
                cycle.theirs * scale,
                toBe: 1
            )
        )

        ours = fullOurs
        let order = (0..<count).map { _ in Int32(random.below(count)) }
        let removal = Stopwatch.seconds { for slot in order { ours.remove(slot: slot) } }
        report.add(.reported("deadline queue: remove by slot (Heap has none)", removal * scale, "ns"))
    }

    private static func checkOrder(_ ours: DeadlineQueue, _ theirs: Heap<Deadline>) throws {
        var (ours, theirs) = (ours, theirs)
        for _ in 0..<count {
            guard let left = ours.popFirst(dueAt: .max), let right = theirs.popMin(), left.slot == right.slot else {
                throw BenchmarkFault(description: "the queues come out in different order")
            }
        }
    }
}
