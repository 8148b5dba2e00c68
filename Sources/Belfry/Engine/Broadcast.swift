import Synchronization

/// Sends the elements of one source to any number of listeners, each with its own buffer.
///
/// A listener that falls behind by more than its buffer loses the oldest elements; the sender never waits. While there
/// is no listener, elements that must not be lost are kept, without duplicates, for the first listener.
package final class Broadcast<Element: Sendable & Equatable>: Sendable {
    /// The number of elements that one listener may fall behind.
    static var bufferSize: Int { 1_024 }
    /// The number of elements kept for the first listener. The oldest are kept, since they say most about the cause.
    static var unheardLimit: Int { 100 }

    /// A listener, and the number of elements that it will have received after reading everything sent so far.
    final class Listener: Sendable {
        let continuation: AsyncStream<Element>.Continuation
        let count = Atomic(0)

        init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

        func yield(_ element: Element) {
            // An element that replaces an older one in the buffer doesn't change the count.
            if case .enqueued = continuation.yield(element) { count.add(1, ordering: .sequentiallyConsistent) }
        }
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var observers: [@Sendable (Element) -> Void] = []
        var nextID = 0
        var isFinished = false
        var unheard: [Element] = []
    }

    private let state = Mutex(State())
    private let mustBeHeard: @Sendable (Element) -> Bool

    package init(keeping mustBeHeard: @escaping @Sendable (Element) -> Bool) {
        self.mustBeHeard = mustBeHeard
    }

    package var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }
    /// Whether an element that need not be kept would reach anybody.
    var isHeard: Bool { state.withLock { !$0.listeners.isEmpty || !$0.observers.isEmpty } }

    func listenCounting() -> (stream: AsyncStream<Element>, listener: Listener) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: .bufferingNewest(Self.bufferSize)
        )
        let listener = Listener(continuation)
        let (id, unheard) = state.withLock { state -> (Int?, [Element]) in
            defer { state.unheard = [] }
            guard !state.isFinished else { return (nil, state.unheard) }
            state.nextID += 1
            state.listeners[state.nextID] = listener
            return (state.nextID, state.unheard)
        }
        for element in unheard { listener.yield(element) }
        if let id {
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
            }
        } else {
            continuation.finish()
        }
        return (stream, listener)
    }

    /// Calls `observer` with the elements kept for the first listener, and with every element from now on. An observer
    /// is not a listener: kept elements still wait for one. It is called by the sender, and must not block.
    package func observe(_ observer: @escaping @Sendable (Element) -> Void) {
        let unheard = state.withLock { state in
            state.observers.append(observer)
            return state.unheard
        }
        for element in unheard { observer(element) }
    }

    package func send(_ element: Element) {
        // Yield outside the lock: a termination handler takes it.
        let (listeners, observers) = state.withLock { state in
            if state.listeners.isEmpty, state.unheard.count < Self.unheardLimit, mustBeHeard(element),
                !state.unheard.contains(element)
            {
                state.unheard.append(element)
            }
            return (Array(state.listeners.values), state.observers)
        }
        for listener in listeners { listener.yield(element) }
        for observer in observers { observer(element) }
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

extension Broadcast where Element == CenterEvent {
    /// Keeps the events that are recorded nowhere else for the first listener: errors that concern no single request,
    /// and undisplayed notices.
    package convenience init() {
        self.init { event in
            switch event {
            case .error, .undisplayed: true
            case .history, .delivered: false
            }
        }
    }
}

extension NoticeCenter {
    /// The events of a center, for one listener.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = CenterEvent
        let stream: AsyncStream<CenterEvent>

        private let listener: Broadcast<CenterEvent>.Listener

        package init(of broadcast: Broadcast<CenterEvent>) { (stream, listener) = broadcast.listenCounting() }

        /// Returns true if this listener, having read `read` elements, can read another without waiting.
        package func hasMore(than read: Int) -> Bool { listener.count.load(ordering: .sequentiallyConsistent) > read }

        public func makeAsyncIterator() -> AsyncStream<CenterEvent>.AsyncIterator { stream.makeAsyncIterator() }
    }
}
