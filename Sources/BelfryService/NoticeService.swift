#if ServiceLifecycle
public import Belfry
public import Logging
public import Metrics
public import ServiceLifecycle

/// Runs a center as a service of a daemon, in a `ServiceGroup` with others, and logs and counts its events.
///
/// ```swift
/// let logger = Logger(label: "org.example.Tea")
/// let group = ServiceGroup(
///     services: [NoticeService(center, logger: logger)],
///     gracefulShutdownSignals: [.sigterm, .sigint],
///     logger: logger
/// )
/// try await group.run()
/// ```
///
/// On graceful shutdown nothing more fires. Notices in flight are shown and stored, then ``run()`` returns, usually
/// within milliseconds. Pending requests stay in the center's store and fire when the next process runs. Due times that
/// passed meanwhile are handled late, by their misfire policy.
///
/// The service doesn't count as a listener of the center's events: an app that listens too misses nothing.
public struct NoticeService: Service {
    private let center: NoticeCenter
    private let logger: Logger
    private let metrics: NoticeMetrics
    private let lateAfter: Duration

    /// Creates a service. Nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - center: The center to run; nothing else may run it.
    ///   - logger: Receives a line for each event, with the identifiers as metadata. Titles and bodies, which may be
    ///     private, are logged only at the level trace.
    ///   - metrics: Makes the counters. The default is the factory given to `MetricsSystem.bootstrap` before this call.
    ///   - lateAfter: How long after its due date a notice is counted and logged as late.
    public init(
        _ center: NoticeCenter,
        logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory,
        lateAfter: Duration = .seconds(1)
    ) {
        self.center = center
        self.logger = logger
        self.metrics = NoticeMetrics(of: center.app, lateAfter: lateAfter, factory: metrics)
        self.lateAfter = lateAfter
    }

    /// Runs the center until graceful shutdown or cancellation. Call it once per center.
    ///
    /// A backend that hangs delays graceful shutdown by at most ``Belfry/CenterOptions/deliveryTimeout`` (30 s). The
    /// group's `maximumGracefulShutdownDuration` can be shorter: cancellation doesn't wait for the backend. The next
    /// process then delivers the notices in flight again, marked as possibly repeated.
    ///
    /// - Throws: The errors of ``Belfry/NoticeCenter/run()``, such as that of a backend that gave up, each with its own
    ///   ``Belfry/NoticeError/isTransient``; `CancellationError` if the task is canceled.
    public func run() async throws {
        let log = CenterEventLog(logger, lateAfter: lateAfter)
        let metrics = metrics
        await center.observe { event in
            metrics.count(event)
            log.append(event)
        }
        await center.observePendingCount { metrics.setPending($0) }
        // Not a child task: the last lines are also written after a cancellation. A logger may block.
        let writing = Task(executorPreference: AppThreads.shared) { await log.write() }
        let result = await Result { try await center.run { _ in try await gracefulShutdown() } }
        log.finish()
        await writing.value
        try result.get()
    }
}
#endif
