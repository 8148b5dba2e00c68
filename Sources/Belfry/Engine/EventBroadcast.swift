import Synchronization

/// Sends the events of a center to any number of listeners, each with its own buffer.
///
/// A listener that falls behind by more than its buffer loses the oldest events; the sender never waits. While there
/// is no listener, events that must not be lost are kept, without duplicates, for the first listener.
package final class EventBroadcast: Sendable {
    /// The number of events that one listener may fall behind.
    static let bufferSize = 1_024
    /// The number of events kept for the first listener. The oldest are kept, since they say most about the cause.
    static let unheardLimit = 100

    /// A listener, and the number of events that it will have received after reading everything sent so far.
    final class Listener: Sendable {
        let continuation: AsyncStream<CenterEvent>.Continuation
        let count = Atomic(0)

        init(_ continuation: AsyncStream<CenterEvent>.Continuation) { self.continuation = continuation }

        func yield(_ event: CenterEvent) {
            // An event that replaces an older one in the buffer doesn't change the count.
            if case .enqueued = continuation.yield(event) { count.add(1, ordering: .sequentiallyConsistent) }
        }
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

    func listenCounting() -> (stream: AsyncStream<CenterEvent>, listener: Listener) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CenterEvent.self,
            bufferingPolicy: .bufferingNewest(Self.bufferSize)
        )
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

extension CenterEvent {
    /// Whether it is recorded nowhere else: an error that concerns no single request, or an undisplayed notice.
    fileprivate var mustBeHeard: Bool {
        switch self {
        case .error, .undisplayed: true
        case .history, .delivered: false
        }
    }
}

extension NoticeCenter {
    /// The events of a center, for one listener.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = CenterEvent
        let stream: AsyncStream<CenterEvent>

        private let listener: EventBroadcast.Listener

        package init(of broadcast: EventBroadcast) { (stream, listener) = broadcast.listenCounting() }

        /// Returns true if this listener, having read `read` events, can read another without waiting.
        package func hasMore(than read: Int) -> Bool { listener.count.load(ordering: .sequentiallyConsistent) > read }

        public func makeAsyncIterator() -> AsyncStream<CenterEvent>.AsyncIterator { stream.makeAsyncIterator() }
    }
}
