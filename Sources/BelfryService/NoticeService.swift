#if ServiceLifecycle
public import Belfry
public import Logging
public import Metrics
public import ServiceLifecycle

/// A center as a service of a daemon: it runs in a `ServiceGroup` beside the others, logs what it does, and counts it.
///
/// ```swift
/// let service = NoticeService(center, logger: logger)
/// let group = ServiceGroup(
///     services: [service, server],
///     gracefulShutdownSignals: [.sigterm, .sigint],
///     logger: logger
/// )
/// try await group.run()
/// ```
///
/// On graceful shutdown nothing more fires. What is in flight is shown and stored, then ``run()`` returns, in
/// milliseconds as a rule. A pending request stays in the center's store, and fires when the next process runs. What
/// came due in between fires late, as its misfire policy says.
///
/// The service is none of the listeners of the center's events: an app that listens too misses nothing.
public struct NoticeService: Service {
    private let center: NoticeCenter
    private let logger: Logger
    private let metrics: NoticeMetrics
    private let lateAfter: Duration

    /// Creates a service that has not run yet; nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - center: The center to run; nobody else may run it.
    ///   - logger: Gets a line for each event, with the identifiers as metadata. Titles and bodies, which may be
    ///     private, are logged at the level trace alone.
    ///   - metrics: Makes the counters. The default is what `MetricsSystem.bootstrap` was given before this call.
    ///   - lateAfter: How long after its due date a notice counts, and is logged, as late.
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

    /// Runs the center until graceful shutdown or cancellation; once per center.
    ///
    /// A backend that hangs holds graceful shutdown up, for as long as ``Belfry/CenterOptions/deliveryTimeLimit`` at
    /// most (30 s). The group's `maximumGracefulShutdownDuration` can be less: cancellation doesn't wait for the
    /// backend. What was in flight then is delivered again by the next process, marked as possibly repeated.
    ///
    /// - Throws: What ``Belfry/NoticeCenter/run()`` throws, such as the error of a backend that gave up, and
    ///   `CancellationError`.
    public func run() async throws {
        let log = CenterEventLog(logger, lateAfter: lateAfter)
        let metrics = metrics
        await center.observe { event in
            metrics.count(event)
            log.append(event)
        }
        await center.observePendingCount { metrics.setPending($0) }
        // Not a child: after a cancellation the last lines are written too.
        let writing = Task { await log.write() }
        let result: Result<Void, any Error>
        do {
            try await center.run { _ in try await gracefulShutdown() }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        log.finish()
        await writing.value
        try result.get()
    }
}
#endif
