import Synchronization

/// One source, any number of listeners, each with a buffer of its own.
///
/// A listener that falls behind by more than the buffer loses the oldest elements; nobody waits for it.
package final class Broadcast<Element: Sendable>: Sendable {
    /// How far one listener may fall behind.
    static var bufferSize: Int { 1_024 }

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
        var nextID = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    package init() {}

    package var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    package func listen() -> AsyncStream<Element> { listenCounting().stream }

    func listenCounting() -> (stream: AsyncStream<Element>, listener: Listener) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: .bufferingNewest(Self.bufferSize)
        )
        let listener = Listener(continuation)
        let id: Int? = state.withLock { state in
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

    package func send(_ element: Element) {
        // Yielding outside the lock: a termination handler takes it.
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(element) }
    }

    package func finish() {
        let all = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in all { listener.continuation.finish() }
    }
}

/// The answers of people, for one listener; ask the center again for another.
public struct NoticeResponses: AsyncSequence, Sendable {
    public typealias Element = NoticeResponse
    let stream: AsyncStream<NoticeResponse>

    package init(stream: AsyncStream<NoticeResponse>) { self.stream = stream }

    public func makeAsyncIterator() -> AsyncStream<NoticeResponse>.AsyncIterator { stream.makeAsyncIterator() }
}

/// What a center does, for one listener.
public struct CenterEvents: AsyncSequence, Sendable {
    public typealias Element = CenterEvent
    let stream: AsyncStream<CenterEvent>

    private let listener: Broadcast<CenterEvent>.Listener

    package init(of broadcast: Broadcast<CenterEvent>) { (stream, listener) = broadcast.listenCounting() }

    /// True where this listener, who has read so many, has something to read without waiting for it.
    package func hasMore(than read: Int) -> Bool { listener.count.load(ordering: .sequentiallyConsistent) > read }

    public func makeAsyncIterator() -> AsyncStream<CenterEvent>.AsyncIterator { stream.makeAsyncIterator() }
}
