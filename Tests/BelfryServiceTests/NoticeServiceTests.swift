#if ServiceLifecycle
import Belfry
import BelfryRecorder
import BelfrySQLite
import BelfryService
import BelfryTestSupport
import BelfryTesting
import InMemoryLogging
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@Suite("A center as a service", .takesTurns)
struct NoticeServiceTests {
    @Test("It fires what is due until graceful shutdown, and a pending request stays in the store") func restart()
        async throws
    {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock()
        let first = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let before = Daemon(on: clock, store: .sqlite(first))
        try await before.run {
            try await before.center.add([tea, supper])
            try await clock.advance(by: .seconds(240))
            #expect(before.recorder.deliveries.map(\.requestID) == ["tea"])
        }
        try await first.close()
        let second = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let after = Daemon(on: clock, store: .sqlite(second))
        try await after.run {
            #expect(try await after.center.pending().map(\.id) == ["supper"])
            try await clock.advance(by: .seconds(3_600))
            #expect(after.recorder.deliveries.map(\.requestID) == ["supper"])
        }
        try await second.close()
    }

    @Test("The log is written on a thread for apps: Swift's pool would wake up once a second from then on")
    func logThread() async throws {
        let daemon = Daemon()
        let handler = ThreadNotingHandler()
        let service = NoticeService(daemon.center, logger: Logger(label: "daemon") { _ in handler })
        let quiet = Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [service], logger: quiet))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            await daemon.recorder.waitUntilReported()
            try await daemon.center.add(tea)
            try await daemon.clock.advance(by: .seconds(240))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(handler.threads.withLock { $0 } == ["belfry-app"])
    }

    @Test("What is in flight at graceful shutdown is shown and stored before the service ends", .timeLimit(.minutes(5)))
    func inFlight() async throws {
        let store = NoticeStore.memory
        let daemon = Daemon(store: store)
        daemon.recorder.stall()
        try await withThrowingTaskGroup { tasks in
            // Services are shut down in reverse order: the first one when the center has ended.
            let first = EndingService { daemon.recorder.deliveries.map(\.requestID) }
            let last = EndingService { daemon.recorder.deliveries.map(\.requestID) }
            let group = daemon.group(after: [first], with: [last])
            tasks.addTask { try await group.run() }
            await daemon.recorder.waitUntilReported()
            try await daemon.center.add(NoticeRequest(id: "now", title: "Now"))
            await daemon.recorder.waitUntilStalled()
            await group.triggerGracefulShutdown()
            #expect(await last.seen() == [])
            daemon.recorder.release()
            #expect(await first.seen() == ["now"])
            try await tasks.waitForAll()
        }
        #expect(daemon.recorder.deliveries.map(\.requestID) == ["now"])
        let next = Daemon(on: daemon.clock, store: store)
        try await next.run {
            try await next.clock.settle()
            #expect(next.recorder.attempts.isEmpty)
            let shown = try await next.center.delivered().map(\.requestID)
            #expect(shown == ["now"])
        }
    }

    @Test("The end waits for what is in flight as long as a delivery may take, and its outcome is stored and logged")
    func slowBackend() async throws {
        let daemon = Daemon(options: CenterOptions(deliveryTimeout: .milliseconds(500)))
        daemon.recorder.stall()
        let first = EndingService { daemon.log.entries.map { "\($0.message)" } }
        let group = daemon.group(after: [first])
        let running = Task { try await group.run() }
        await daemon.recorder.waitUntilReported()
        try await daemon.center.add(NoticeRequest(id: "now", title: "Now"))
        await daemon.recorder.waitUntilStalled()
        await group.triggerGracefulShutdown()
        #expect(await first.seen() == ["Notice failed and is tried again"])
        try await running.value
    }

    @Test("A backend that hangs is left behind at the group's limit; its notice comes again, marked, and no other")
    func hangingBackend() async throws {
        let scratch = try TemporaryFolder()
        let first = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let daemon = Daemon(store: .sqlite(first))
        daemon.recorder.stall()
        let group = daemon.group { $0.maximumGracefulShutdownDuration = .milliseconds(1) }
        let running = Task { try await group.run() }
        await daemon.recorder.waitUntilReported()
        try await daemon.center.add([NoticeRequest(id: "now", title: "Now"), tea])
        await daemon.recorder.waitUntilStalled()
        await group.triggerGracefulShutdown()
        // Longer than this, and it has waited for the limit of a delivery, which is 30 s.
        let ended = ContinuousClock().now
        _ = await running.result
        #expect(ContinuousClock().now - ended < .seconds(20))
        // The end of the process.
        try await first.close()
        daemon.recorder.release()

        let second = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let next = Daemon(on: daemon.clock, store: .sqlite(second))
        try await next.run {
            try await next.clock.settle()
            #expect(next.recorder.deliveries.map(\.requestID) == ["now"])
            #expect(next.recorder.deliveries.map(\.isPossiblyRepeated) == [true])
            let pending = try await next.center.pending().map(\.id)
            #expect(pending == ["tea"])
        }
        try await second.close()
    }

    @Test("Shutdown that was asked for before the center ran ends it") func shutdownFirst() async throws {
        let daemon = Daemon()
        let group = daemon.group()
        await group.triggerGracefulShutdown()
        try await group.run()
        await #expect(throws: NoticeError.self) { try await daemon.center.run() }
    }

    @Test("What ends the center ends the group, with its error") func backendGivesUp() async throws {
        let center = NoticeCenter(
            app: Daemon.app,
            backend: QuittingBackend(),
            clock: .manual(ManualTriggerClock())
        )
        let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(services: [NoticeService(center, logger: quiet)], logger: quiet)
        let error = await #expect(throws: NoticeError.self) { try await group.run() }
        #expect(error == QuittingBackend.error)
    }

    @Test(
        "A service that runs takes no event from the app: an undisplayed notice waits for its listener",
        .timeLimit(.minutes(5))
    )
    func listeners() async throws {
        let daemon = Daemon()
        try await daemon.run {
            var job = NoticeRequest(id: "job", title: "Job")
            job.content.isDisplayed = false
            try await daemon.center.add(job)
            await daemon.center.quiet()
            let event = await daemon.center.events().first { _ in true }
            guard case .undisplayed(let delivery)? = event else {
                Issue.record("\(String(describing: event)) instead of the undisplayed notice")
                return
            }
            #expect(delivery.requestID == "job")
        }
    }

    private let tea = NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240)))
    private let supper = NoticeRequest(id: "supper", title: "Supper", trigger: .after(.seconds(3_840)))
}

/// Tells what it sees when graceful shutdown has reached it.
private struct EndingService: Service {
    private let look: @Sendable () -> [String]
    private let looks: AsyncStream<[String]>
    private let continuation: AsyncStream<[String]>.Continuation

    init(_ look: @escaping @Sendable () -> [String]) {
        self.look = look
        (looks, continuation) = AsyncStream.makeStream()
    }

    func run() async throws {
        try await gracefulShutdown()
        continuation.yield(look())
    }

    func seen() async -> [String]? { await looks.first { _ in true } }
}

/// A backend whose run ends with an error at once.
private struct QuittingBackend: DeliveryBackend {
    static let error = NoticeError(.unsupported, "Nothing can be shown here.")

    let name = "quitting"

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { throw Self.error }
    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt { throw Self.error }
    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}
    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        throw Self.error
    }
}

/// A log that remembers on which threads it was written.
private final class ThreadNotingHandler: LogHandler {
    let threads = Mutex<Set<String?>>([])
    // Every level; nothing here sets another, nor metadata.
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let thread = currentThreadName()
        _ = threads.withLock { $0.insert(thread) }
    }
}
#endif
