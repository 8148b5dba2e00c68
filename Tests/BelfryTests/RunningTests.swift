import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

@testable import Belfry

@Suite("Running a center", .takesTurns)
struct RunningTests {
    private struct Broken: Error, Equatable {}

    @Test("running ends cleanly when the body throws, and rethrows it") func bodyThrows() async throws {
        let recorder = RecorderBackend()
        let clock = ManualTriggerClock()
        let center = NoticeCenter(app: World.app, backend: recorder, clock: .manual(clock))
        await #expect(throws: Broken.self) {
            try await center.run { center in
                try await center.add(.sample("x", .after(.seconds(60))))
                throw Broken()
            }
        }
        // Nothing runs any more: the recorder is free for another center, and no alarm stands.
        try await clock.reboot()
        try await World.run(on: clock, store: MemoryRequestStore(), recorder: recorder) { world in
            try await world.center.add(.sample("y"))
            try await world.clock.settle()
            #expect(world.deliveredIDs() == ["y"])
        }
    }

    @Test("running ends when its task is canceled") func cancelled() async throws {
        let center = NoticeCenter(app: World.app, backend: RecorderBackend(), clock: .manual(ManualTriggerClock()))
        let begun = Gate()
        let running = Task {
            try await center.run { _ in
                begun.open()
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                for await _ in stream {}
                continuation.finish()
                try Task.checkCancellation()
            }
        }
        await begun.wait()
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test(
        "Body and backend run on the threads for apps: libdispatch, which wakes up for good after a first task, has none"
    )
    func threads() async throws {
        let backend = ProbedBackend()
        let center = NoticeCenter(app: World.app, backend: backend, clock: .manual(ManualTriggerClock()))
        let executor = try await center.run { center in
            _ = try await center.capabilities()
            return ProbedBackend.currentExecutor
        }
        let expected = AppThreads.shared.asUnownedTaskExecutor()
        #expect(executor == expected)
        #expect(backend.executors.withLock { $0 } == [expected])
    }

    @Test("A task with an executor of its own keeps it") func ownExecutor() async throws {
        let center = NoticeCenter(app: World.app, backend: RecorderBackend(), clock: .manual(ManualTriggerClock()))
        let executor = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await center.run { _ in ProbedBackend.currentExecutor }
        }
        #expect(executor == globalConcurrentExecutor.asUnownedTaskExecutor())
    }

    @Test("What is under way when the body ends is finished first") func finishes() async throws {
        let recorder = RecorderBackend()
        try await World.run(recorder: recorder) { world in
            for number in 0..<100 { try await world.center.add(.sample("\(number)")) }
        }
        #expect(recorder.deliveries.count == 100)
    }

    @Test("It is finished when the body throws too, before the backend is stopped") func finishesWhenTheBodyThrows()
        async throws
    {
        let backend = SlowBackend()
        let center = NoticeCenter(app: World.app, backend: backend, clock: .manual(ManualTriggerClock()))
        await #expect(throws: Broken.self) {
            try await center.run { center in
                try await center.add(.sample("x"))
                await backend.begun.wait()
                backend.thrown.open()
                throw Broken()
            }
        }
        #expect(backend.order == ["delivered", "stopped"])
    }

    @Test("A stuck backend with a long line does not hold the end up for each of them") func stuckAtTheEnd()
        async throws
    {
        let recorder = RecorderBackend()
        let store = MemoryRequestStore()
        let clock = ManualTriggerClock(date: World.start)
        let options = CenterOptions(deliveryTimeout: .milliseconds(500))
        try await World.run(on: clock, store: store, options: options, recorder: recorder) { world in
            world.recorder.stall()
            try await world.center.add((0..<300).map { .sample("\($0)") })
        }
        // Each attempt would hold the end up for the time limit of a delivery.
        #expect(recorder.attempts.count < 10)
        // Nothing is lost: the next process delivers them.
        #expect(try await store.load().deliveries.count == 300)
    }

    @Test("The end waits for a stuck backend, and no longer once its task is canceled") func cancelledEnd()
        async throws
    {
        let recorder = RecorderBackend()
        recorder.stall()
        let store = MemoryRequestStore()
        let center = NoticeCenter(
            app: World.app,
            backend: recorder,
            store: NoticeStore(store),
            clock: .manual(ManualTriggerClock())
        )
        let ending = Gate()
        let running = Task {
            try await center.run { center in
                await recorder.waitUntilReported()
                try await center.add(.sample("x"))
                await recorder.waitUntilStalled()
                ending.open()
            }
        }
        await ending.wait()
        let begun = ContinuousClock().now
        running.cancel()
        _ = await running.result
        // The limit of a delivery is 30 s.
        #expect(ContinuousClock().now - begun < .seconds(20))
        // Nothing is lost: the next process delivers it.
        #expect(try await store.load().deliveries.count == 1)
    }

    @Test("Listeners end with the center") func listenersEnd() async throws {
        let center = NoticeCenter(app: World.app, backend: RecorderBackend(), clock: .manual(ManualTriggerClock()))
        let responses = await center.responses()
        let events = await center.events()
        try await center.run { center in try await center.add(.sample("x")) }
        var seen = 0
        for await _ in responses { seen += 1 }
        for await event in events { if case .delivered = event { seen += 10 } }
        #expect(seen == 10)
        // Whoever comes later does not wait in vain.
        for await _ in await center.responses() { Issue.record("an answer from nowhere") }
    }

    @Test("Listeners end with a run that could not begin", .timeLimit(.minutes(5))) func listenersEndEarly()
        async throws
    {
        let center = NoticeCenter(app: World.app, backend: RecorderBackend(), clock: .init(AlarmlessClock()))
        let responses = await center.responses()
        let events = await center.events()
        await expectError(.systemFailure) { try await center.run() }
        for await _ in responses { Issue.record("an answer from nowhere") }
        for await _ in events {}
        for await _ in await center.events() {}
    }

    @Test("An error that nobody heard waits for the first listener, and comes once", .timeLimit(.minutes(5)))
    func unheardErrors() async throws {
        let (backend, clock) = (ModelBackend(), ManualTriggerClock(date: World.start))
        try await NoticeCenter.onModel(backend, clock: clock) { center in
            let errors = [NoticeError(.backendMessage, "The first."), NoticeError(.backendMessage, "The second.")]
            // The same again is no news.
            for error in errors + errors { backend.post(.error(error)) }
            await center.quiet()
            var heard: [CenterEvent] = []
            for await event in await center.events() {
                heard.append(event)
                if heard.count == 2 { break }
            }
            #expect(heard == errors.map(CenterEvent.error))
            var later = await center.events().makeAsyncIterator()
            backend.post(.error(NoticeError(.backendMessage, "The third.")))
            #expect(await later.next() == .error(NoticeError(.backendMessage, "The third.")))
        }
    }

    @Test("A second run is refused before its body is called, and leaves the first one as it is") func secondRun()
        async throws
    {
        try await World.run(options: CenterOptions(deliveryTimeout: .milliseconds(500))) { world in
            await expectError(.centerStopped) {
                try await world.center.run { _ in _ = Issue.record("The body of a second run was called.") }
            }
            // A center that is about to end doesn't call a stuck backend again.
            world.recorder.stall()
            try await world.center.add(.sample("x"))
            try await world.clock.settle()
            world.recorder.release()
            try await world.clock.advance(by: .seconds(1))
            #expect(world.deliveredIDs() == ["x"])
        }
    }

    @Test("With nothing pending there is no wake-up at all") func noWakes() async throws {
        try await World.run { world in
            let wakes = world.clock.wakes
            try await world.clock.advance(by: .seconds(10 * 366 * 86_400))
            #expect(world.clock.wakes == wakes)
            try await world.center.add(.sample("x", .after(.seconds(60))))
            try await world.clock.advance(by: .seconds(10 * 366 * 86_400))
            #expect(world.clock.wakes == wakes + 1)
        }
    }

    @Test("A center on a clock without alarms says so") func noAlarm() async throws {
        let center = NoticeCenter(app: World.app, backend: RecorderBackend(), clock: .init(AlarmlessClock()))
        await expectError(.systemFailure) { try await center.run() }
    }

    @Test("Adding from many tasks at once loses nothing") func concurrent() async throws {
        try await World.run { world in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<500 {
                    group.addTask { try await world.center.add(.sample("\(number)", .after(.seconds(number % 7 + 1)))) }
                }
                try await group.waitForAll()
            }
            #expect(try await world.center.pending().count == 500)
            try await world.clock.advance(by: .seconds(10))
            #expect(Set(world.deliveredIDs()).count == 500)
            #expect(world.recorder.deliveries.count == 500)
        }
    }

    @Test("pending lists what fires first at the front, with how often it has fired") func pending() async throws {
        try await World.run { world in
            try await world.center.add([
                .sample("late", .after(.seconds(500))), .sample("beat", .every(.seconds(60))),
                .sample("date", DateTrigger(date: World.start.addingTimeInterval(90))),
            ])
            try await world.clock.advance(by: .seconds(125))
            let pending = try await world.center.pending()
            #expect(pending.map(\.id) == ["beat", "late"])
            #expect(pending.map(\.fired) == [2, 0])
            #expect(pending.map { $0.next?.timeIntervalSince(World.start) } == [180, 500])
            #expect(try await world.center.nextFireDate(of: "late") == World.start.addingTimeInterval(500))
            #expect(try await world.center.nextFireDate(of: "unknown") == nil)
        }
    }
}

/// A backend whose delivery takes until the body has thrown, and a while longer.
private final class SlowBackend: DeliveryBackend {
    let name = "slow"
    let begun = Gate()
    let thrown = Gate()
    private let events = Mutex<[String]>([])
    var order: [String] { events.withLock { $0 } }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        DeliveryCapabilities(server: "slow", features: [.body])
    }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        begun.open()
        await thrown.wait()
        for _ in 0..<1_000 { await Task.yield() }
        events.withLock { $0.append("delivered") }
        return DeliveryReceipt(backend: name, handle: "1")
    }

    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}

    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
        events.withLock { $0.append("stopped") }
    }
}

/// A clock that stands still and provides no alarm.
private struct AlarmlessClock: TriggerClock {
    let bootID = "boot"

    func now() -> TriggerInstant { TriggerInstant(wall: 0, boot: 0) }
    func systemZone() -> ZoneRules { .utc }
    func makeAlarm() throws(NoticeError) -> any WakeAlarm {
        throw NoticeError(.systemFailure, "This clock has no alarms.")
    }
}

/// A backend of somebody else's, which may block: remembers where it was asked what it can show.
private final class ProbedBackend: DeliveryBackend {
    let name = "probed"
    let executors = Mutex<[UnownedTaskExecutor?]>([])

    static var currentExecutor: UnownedTaskExecutor? { withUnsafeCurrentTask { $0?.unownedTaskExecutor } }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        executors.withLock { $0.append(Self.currentExecutor) }
        return .everything
    }
    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        DeliveryReceipt(backend: name, handle: delivery.id)
    }
    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}
    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {}
}
