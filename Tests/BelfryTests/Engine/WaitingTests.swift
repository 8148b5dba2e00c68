import BelfryTestSupport
import Synchronization
import Testing

@testable import Belfry

@Suite("Waiting for a value, a state or a time", .takesTurns, .timeLimit(.minutes(5)))
struct WaitingTests {
    private static let long = Duration.seconds(3_600)

    // MARK: Values

    @Test("The first value given counts, whether it comes before the wait or during it") func firstValue() async {
        let value = AwaitedValue<Int>()
        let isFirst = value.give(1)
        let isSecond = value.give(2)
        #expect(isFirst && !isSecond)
        #expect(await value.value(late: -1, cancelled: -2) == 1)
        #expect(await value.value(late: -1, cancelled: -2) == 1, "it stays")
        let later = AwaitedValue<Int>()
        async let found = later.value(within: Self.long, late: -1, cancelled: -2)
        later.give(3)
        #expect(await found == 3)
    }

    @Test("A timeout gives a value of its own, and a later one is none") func lateValue() async {
        let value = AwaitedValue<Int>()
        #expect(await value.value(within: .zero, late: -1, cancelled: -2) == -1)
        let isTaken = value.give(1)
        #expect(!isTaken)
    }

    @Test("A canceled wait is told apart from a late one") func cancelledValue() async {
        let value = AwaitedValue<Int>()
        let task = Task { await value.value(within: Self.long, late: -1, cancelled: -2) }
        task.cancel()
        #expect(await task.value == -2)
    }

    // MARK: States

    @Test("Each task waits for its own condition, and for nothing if it holds already") func conditions() async {
        let state = AwaitedState(0)
        await state.wait { $0 == 0 }
        async let two: Void = state.wait { $0 >= 2 }
        async let three = state.waitUnlessCancelled(within: Self.long) { $0 >= 3 }
        state.withLock { $0 = 2 }
        await two
        state.withLock { $0 = 3 }
        #expect(await three)
        #expect(await state.waitUnlessCancelled(within: .zero) { $0 == 4 } == false, "it does not come to that")
    }

    @Test("A change that throws is a change all the same") func throwingChange() async {
        struct Refusal: Error {}
        let state = AwaitedState(0)
        async let one: Void = state.wait { $0 == 1 }
        #expect(throws: Refusal.self) {
            try state.withLock { state in
                state = 1
                throw Refusal()
            }
        }
        await one
    }

    // MARK: Times

    @Test("A timeout expires once, unless it is ended before") func timeouts() async {
        let expired = AwaitedState(0)
        let ended = Timeout.begin(Self.long) { expired.withLock { $0 += 10 } }
        let isEnded = ended.end()
        let isEndedAgain = ended.end()
        #expect(isEnded && !isEndedAgain)
        let short = Timeout.begin(.zero) { expired.withLock { $0 += 1 } }
        await expired.wait { $0 > 0 }
        #expect(!short.end())
        #expect(expired.withLock { $0 } == 1)
    }

    @Test("A sooner timeout does not wait for one that was begun before it") func soonerTimeout() async {
        let first = AwaitedValue<String>()
        let timeouts = [
            Timeout.begin(Self.long) { first.give("long") }, Timeout.begin(.milliseconds(1)) { first.give("short") },
        ]
        #expect(await first.value(late: "none", cancelled: "none") == "short")
        for timeout in timeouts { timeout.end() }
    }

    @Test("Work that is done in time gives its result; work that takes longer is canceled and its result is late")
    func work() async {
        #expect(await withTimeout(Self.long) { 1 } == 1)
        let (late, executor) = (AwaitedValue<Int>(), HeldExecutor())
        executor.release()
        // On the thread of the timers, which can't expire before the work waits.
        let result = await Task(executorPreference: CenterThread.shared) {
            await withTimeout(.zero, on: executor) { (result: Int) in
                late.give(result)
            } _: {
                await AwaitedValue<Int>().value(late: -1, cancelled: 2)
            }
        }.value
        #expect(result == nil)
        #expect(await late.value(late: -1, cancelled: -1) == 2)
    }

    @Test("Work that has not begun when its time is over is not begun") func lateWork() async {
        let (hasBegun, executor) = (AwaitedState(false), HeldExecutor())
        let result: Void? = await withTimeout(.zero, on: executor) { hasBegun.withLock { $0 = true } }
        #expect(result == nil)
        executor.release()
        #expect(!hasBegun.withLock { $0 })
    }

    /// Keeps its jobs until they are released, and runs later ones at once.
    private final class HeldExecutor: TaskExecutor {
        private let jobs = Mutex<[UnownedJob]?>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isHeld = jobs.withLock { jobs in
                jobs?.append(job)
                return jobs != nil
            }
            if !isHeld { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }

        func release() {
            let held = jobs.withLock { jobs in
                defer { jobs = nil }
                return jobs ?? []
            }
            for job in held { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
