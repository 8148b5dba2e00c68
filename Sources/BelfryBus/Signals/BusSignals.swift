import Synchronization

/// The matching signals, in the order of their arrival.
///
/// Buffers a limited number; further signals are dropped and counted. The sequence continues after a reconnection and
/// ends when the connection is closed. The subscription ends with the iteration, with ``cancel()``, and with the last
/// reference.
public final class BusSignals: AsyncSequence, Sendable {
    public typealias Element = BusSignal
    public typealias Failure = Never

    private let stream: AsyncStream<BusSignal>
    private let continuation: AsyncStream<BusSignal>.Continuation
    private let dropped = Atomic<Int>(0)

    init(limit: Int) {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Swift.max(limit, 1)))
    }

    /// How many signals were dropped because they were not read in time.
    public var droppedCount: Int { dropped.load(ordering: .relaxed) }

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), signals: self) }

    /// An iterator that retains its sequence, so that a loop over an otherwise unreferenced sequence continues.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<BusSignal>.Iterator
        fileprivate let signals: BusSignals

        /// Returns the next signal; nil at the end, and when the task is cancelled.
        public mutating func next() async -> BusSignal? { await next(isolation: #isolation) }
        public mutating func next(isolation actor: isolated (any Actor)?) async -> BusSignal? {
            await base.next(isolation: actor)
        }
    }

    /// Ends the sequence; buffered signals can still be read.
    public func cancel() { continuation.finish() }

    func yield(_ signal: BusSignal) {
        if case .dropped = continuation.yield(signal) { dropped.add(1, ordering: .relaxed) }
    }

    func onEnd(_ action: @escaping @Sendable () -> Void) { continuation.onTermination = { _ in action() } }

    deinit { continuation.finish() }
}

/// A subscription with a callback. It ends with ``cancel()`` and with the last reference to this object.
public final class BusSubscription: Sendable {
    private let end: @Sendable () -> Void
    private let isCancelled = Atomic(false)

    package init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the subscription. A callback that is running is not interrupted; no further one starts for later arrivals.
    public func cancel() { if !isCancelled.exchange(true, ordering: .relaxed) { end() } }

    deinit { cancel() }
}
