import Synchronization

/// One source, any number of listeners, each with a buffer of its own.
///
/// A listener that falls behind by more than the buffer loses the oldest elements; nobody waits for it. Elements that
/// must not go unheard are kept while nobody listens, each once, and given to the first listener.
package final class Broadcast<Element: Sendable & Equatable>: Sendable {
    /// How far one listener may fall behind.
    static var bufferSize: Int { 1_024 }
    /// How many elements are kept for the first listener; what came first says most of the cause.
    static var unheardLimit: Int { 100 }

    /// One of them, and how many elements it will have got when it has read all that were sent.
    final class Listener: Sendable {
        let continuation: AsyncStream<Element>.Continuation
        let count = Atomic(0)

        init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

        func yield(_ element: Element) {
            // An element that took the place of an older one makes it no more.
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

    /// `observer` is called with what nobody has heard yet, and with every element from now on. It is no listener: what
    /// must be heard still waits for one. It is called where elements are sent, and must not block.
    package func observe(_ observer: @escaping @Sendable (Element) -> Void) {
        let unheard = state.withLock { state in
            state.observers.append(observer)
            return state.unheard
        }
        for element in unheard { observer(element) }
    }

    package func send(_ element: Element) {
        // Yielding outside the lock: a termination handler takes it.
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
    /// What stands nowhere else waits for the first listener: an error that concerns no single request, and a notice
    /// for the app.
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
    /// What a center does, for one listener.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = CenterEvent
        let stream: AsyncStream<CenterEvent>

        private let listener: Broadcast<CenterEvent>.Listener

        package init(of broadcast: Broadcast<CenterEvent>) { (stream, listener) = broadcast.listenCounting() }

        /// True where this listener, who has read so many, has something to read without waiting for it.
        package func hasMore(than read: Int) -> Bool { listener.count.load(ordering: .sequentiallyConsistent) > read }

        public func makeAsyncIterator() -> AsyncStream<CenterEvent>.AsyncIterator { stream.makeAsyncIterator() }
    }
}
