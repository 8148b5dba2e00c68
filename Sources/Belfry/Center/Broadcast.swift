import Synchronization

/// One source, any number of listeners, each with a buffer of its own.
///
/// A listener that falls behind by more than the buffer loses the oldest elements; nobody waits for it.
package final class Broadcast<Element: Sendable>: Sendable {
    /// How far one listener may fall behind.
    static var bufferSize: Int { 1_024 }

    private struct State {
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
        var nextID = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    package init() {}

    package var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    package func listen() -> AsyncStream<Element> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.bufferSize)) { continuation in
            let id: Int? = state.withLock { state in
                guard !state.isFinished else { return nil }
                state.nextID += 1
                state.listeners[state.nextID] = continuation
                return state.nextID
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
            }
        }
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
        for listener in all { listener.finish() }
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

    package init(stream: AsyncStream<CenterEvent>) { self.stream = stream }

    public func makeAsyncIterator() -> AsyncStream<CenterEvent>.AsyncIterator { stream.makeAsyncIterator() }
}
