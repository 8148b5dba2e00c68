import Synchronization

/// Sends the events of a center to any number of listeners, each with its own buffer.
///
/// The sender never waits: a listener that falls behind loses what ``EventBuffer`` displaces. While there is no
/// listener, events that must not be lost are kept, without duplicates, for the first listener.
package final class EventBroadcast: Sendable {
    /// The number of events kept for the first listener. The oldest are kept, since they say most about the cause.
    static let unheardLimit = 100

    /// A listener, and the number of events that it will have received after reading everything sent so far.
    final class Listener: Sendable {
        /// One element for each event in the buffer, so that reading waits and ends as with any stream.
        let continuation: AsyncStream<Void>.Continuation
        let count = Atomic(0)
        private let buffer = Mutex(EventBuffer())

        init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

        func yield(_ event: CenterEvent) {
            guard buffer.withLock({ $0.append(event) }), case .enqueued = continuation.yield() else { return }
            count.add(1, ordering: .sequentiallyConsistent)
        }

        /// Removes and returns the oldest event, once for each element of the stream.
        func popFirst() -> CenterEvent? { buffer.withLock { $0.popFirst() } }
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var observers: [@Sendable (CenterEvent) -> Void] = []
        var nextID = 0
        var isFinished = false
        var unheard: [CenterEvent] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }
    /// Whether an event that need not be kept would reach anybody.
    var isHeard: Bool { state.withLock { !$0.listeners.isEmpty || !$0.observers.isEmpty } }

    func listenCounting() -> (stream: AsyncStream<Void>, listener: Listener) {
        // As bounded as the buffer that it counts.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let listener = Listener(continuation)
        let id = state.withLock { state -> Int? in
            // Under the lock, so that no newer event comes before them. There is no termination handler yet.
            for event in state.unheard { listener.yield(event) }
            state.unheard = []
            guard !state.isFinished else { return nil }
            state.nextID += 1
            state.listeners[state.nextID] = listener
            return state.nextID
        }
        if let id {
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
            }
        } else {
            continuation.finish()
        }
        return (stream, listener)
    }

    /// Calls `observer` with the events kept for the first listener, and with every event from now on. An observer
    /// is not a listener: kept events still wait for one. It is called by the sender, and must not block.
    package func observe(_ observer: @escaping @Sendable (CenterEvent) -> Void) {
        let unheard = state.withLock { state in
            state.observers.append(observer)
            return state.unheard
        }
        for event in unheard { observer(event) }
    }

    package func send(_ event: CenterEvent) {
        // Yield outside the lock: a termination handler acquires it.
        let (listeners, observers) = state.withLock { state in
            if state.listeners.isEmpty, event.mustBeHeard, state.unheard.count < Self.unheardLimit,
                !state.unheard.contains(event)
            {
                state.unheard.append(event)
            }
            return (Array(state.listeners.values), state.observers)
        }
        for listener in listeners { listener.yield(event) }
        for observer in observers { observer(event) }
    }

    package func finish() {
        let all = state.withLock { state in
            state.isFinished = true
            state.observers = []
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in all { listener.continuation.finish() }
    }
}

extension NoticeCenter {
    /// The events of a center, for one listener.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = CenterEvent

        private let stream: AsyncStream<Void>
        private let listener: EventBroadcast.Listener

        package init(of broadcast: EventBroadcast) { (stream, listener) = broadcast.listenCounting() }

        /// Returns true if this listener, having read `read` events, can read another without waiting.
        package func hasMore(than read: Int) -> Bool { listener.count.load(ordering: .sequentiallyConsistent) > read }

        public func makeAsyncIterator() -> Iterator {
            Iterator(stream: stream.makeAsyncIterator(), listener: listener)
        }

        /// Returns the events one by one.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var stream: AsyncStream<Void>.Iterator
            fileprivate let listener: EventBroadcast.Listener

            public mutating func next() async -> CenterEvent? { await next(isolation: #isolation) }

            public mutating func next(isolation actor: isolated (any Actor)?) async -> CenterEvent? {
                await stream.next(isolation: actor).flatMap { listener.popFirst() }
            }
        }
    }
}
