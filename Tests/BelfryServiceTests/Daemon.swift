#if ServiceLifecycle
import Belfry
import BelfryRecorder
import BelfryService
import BelfryTesting
import InMemoryLogging
import Logging
import MetricsTestKit
import ServiceLifecycle

/// A daemon in this process: a center as the service of a real `ServiceGroup`, with a real logger and metrics factory
/// that remember everything. Only time and the notification server are the test's.
struct Daemon {
    static let app = AppIdentity(id: "org.example.Daemon")

    let clock: ManualTriggerClock
    let recorder: RecorderBackend
    let center: NoticeCenter
    let log: InMemoryLogHandler
    let metrics = TestMetrics()
    let service: NoticeService

    init(
        on clock: ManualTriggerClock = ManualTriggerClock(),
        store: NoticeStore = .memory,
        recorder: RecorderBackend = RecorderBackend(),
        logLevel: Logger.Level = .debug,
        options: CenterOptions = CenterOptions()
    ) {
        var log = InMemoryLogHandler()
        log.logLevel = logLevel
        self.clock = clock
        self.recorder = recorder
        self.log = log
        center = NoticeCenter(
            app: Self.app,
            backend: recorder,
            store: store,
            clock: .manual(clock),
            options: options
        )
        service = NoticeService(center, logger: Logger(label: "daemon") { [log] _ in log }, metrics: metrics)
    }

    /// A group of this service and others: `earlier` are shut down after it, `later` before.
    func group(
        after earlier: [any Service] = [],
        with later: [any Service] = [],
        configure: (inout ServiceGroupConfiguration) -> Void = { _ in }
    ) -> ServiceGroup {
        let quiet = Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }
        var configuration = ServiceGroupConfiguration(services: earlier + [service] + later, logger: quiet)
        configure(&configuration)
        return ServiceGroup(configuration: configuration)
    }

    /// Runs the group beside `body`, which ends by a graceful shutdown. What was logged and counted is complete then.
    func run(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup { tasks in
            let group = group()
            tasks.addTask { try await group.run() }
            await recorder.waitUntilReported()
            try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    func lines(at level: Logger.Level) -> [InMemoryLogHandler.Entry] { log.entries.filter { $0.level == level } }

    func count(_ name: String) throws -> Int64 {
        try metrics.expectCounter("belfry.notices.\(name)", [("app", Self.app.id)]).totalValue
    }

    func pendingGauge() throws -> Double? {
        try metrics.expectGauge("belfry.notices.pending", [("app", Self.app.id)]).lastValue
    }
}
#endif
