import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Dispatch
import Synchronization
import Testing

@Suite("The first response is waited for where the caller runs", .takesTurns, .timeLimit(.minutes(5)))
struct FirstResponseTests {
    /// Counts the jobs that it is given.
    private final class CountingExecutor: SerialExecutor {
        private let queue = DispatchQueue(label: "counting")
        private let jobs = Mutex(0)

        var count: Int { jobs.withLock { $0 } }

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.withLock { $0 += 1 }
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private actor Waiter {
        private let executor: CountingExecutor

        init(on executor: CountingExecutor) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func first(of responses: NoticeCenter.Responses) async -> NoticeResponse? {
            await responses.first { $0.requestID == "b" }
        }
    }

    @Test("Each response comes to the caller's executor, those before the first one too") func caller() async throws {
        try await World.run { world in
            let executor = CountingExecutor()
            let waiter = Waiter(on: executor)
            let responses = await world.center.responses()
            try await world.center.add([.sample("a"), .sample("b")])
            try await world.clock.settle()
            async let first = waiter.first(of: responses)
            try await world.person(.open, on: "a")
            try await world.person(.open, on: "b")
            #expect(await first?.requestID == "b")
            // The standard library's version only begins there.
            #expect(executor.count > 2, "\(executor.count) jobs")
        }
    }
}
