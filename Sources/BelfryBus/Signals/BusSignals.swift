import Synchronization

/// The signals that match, in the order of their arrival.
///
/// At most a given number waits to be read; further ones are dropped and counted. It ends when the connection is
/// closed, and goes on when a lost bus is back. Listening ends with the iteration, with ``cancel()``, and with the last
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

    /// How many were dropped because nobody read them in time.
    public var droppedCount: Int { dropped.load(ordering: .relaxed) }

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), signals: self) }

    /// It keeps the sequence: a loop over one that nobody else holds goes on.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<BusSignal>.Iterator
        fileprivate let signals: BusSignals

        /// Nil at the end, and when the task is cancelled.
        public mutating func next() async -> BusSignal? { await next(isolation: #isolation) }
        public mutating func next(isolation actor: isolated (any Actor)?) async -> BusSignal? {
            await base.next(isolation: actor)
        }
    }

    /// Ends the sequence; what waits can still be read.
    public func cancel() { continuation.finish() }

    func yield(_ signal: BusSignal) {
        if case .dropped = continuation.yield(signal) { dropped.add(1, ordering: .relaxed) }
    }

    func onEnd(_ action: @escaping @Sendable () -> Void) { continuation.onTermination = { _ in action() } }

    deinit { continuation.finish() }
}

/// A listener in the form of a function; listening ends with ``cancel()`` and with the last reference to this.
public final class BusSubscription: Sendable {
    private let end: @Sendable () -> Void
    private let isCancelled = Atomic(false)

    package init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// After this nothing that arrives is handed over; what is being handed over at this moment is not stopped.
    public func cancel() { if !isCancelled.exchange(true, ordering: .relaxed) { end() } }

    deinit { cancel() }
}
