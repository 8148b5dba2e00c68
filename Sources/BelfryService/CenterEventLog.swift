#if ServiceLifecycle
import Belfry
import Logging
import Synchronization

/// Logs events off the thread that sends them, so that a log that blocks delays no delivery.
final class CenterEventLog: Sendable {
    /// The number of events that wait for a slow log. Further events are only counted, and the count is logged.
    private static let waitingLimit = 1_024

    private let logger: Logger
    private let lateAfter: Duration
    private let events: AsyncStream<CenterEvent>
    private let continuation: AsyncStream<CenterEvent>.Continuation
    private let droppedCount = Atomic(0)

    init(_ logger: Logger, lateAfter: Duration) {
        self.logger = logger
        self.lateAfter = lateAfter
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingLimit))
    }

    func append(_ event: CenterEvent) {
        if case .dropped = continuation.yield(event) { droppedCount.add(1, ordering: .relaxed) }
    }

    func finish() { continuation.finish() }

    /// Logs until ``finish()``, including everything appended before.
    func write() async {
        for await event in events {
            write(event)
            let count = droppedCount.exchange(0, ordering: .relaxed)
            guard count > 0 else { continue }
            logger.warning(
                "Events are not in the log: they came faster than it takes them",
                metadata: ["belfry.count": "\(count)"]
            )
        }
    }

    private func write(_ event: CenterEvent) {
        if let line = EventLine(event, lateAfter: lateAfter) {
            logger.log(level: line.level, line.message, metadata: line.metadata)
        }
        guard logger.logLevel <= .trace, let line = EventLine(textsOf: event) else { return }
        logger.log(level: line.level, line.message, metadata: line.metadata)
    }
}
#endif
