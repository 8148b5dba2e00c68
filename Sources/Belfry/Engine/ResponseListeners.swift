import Synchronization

/// Sends responses to any number of listeners, and tracks which responses no listener has handled yet.
///
/// A listener has handled a response when it asks for the next one, or when its loop ends. A response is released if
/// all its listeners end without handling it: the offering code then keeps it for the next listener.
package final class ResponseListeners: Sendable {
    /// How an offer ended.
    package enum Outcome: Sendable {
        case handled
        case released
    }

    private struct Offer {
        var holders: Set<Int>
        let settle: @Sendable (Outcome) -> Void
    }

    private struct State {
        var listeners: [Int: AsyncStream<NoticeResponse>.Continuation] = [:]
        var offers: [NoticeResponse.ID: Offer] = [:]
        var lastID = 0
        var isFinished = false
    }

    /// Never held while a continuation is used: a termination handler takes it.
    private let state = Mutex(State())

    package init() {}

    package func listen() -> NoticeCenter.Responses {
        // Unbounded: users respond rarely, and a response dropped here would still count as offered.
        let (stream, continuation) = AsyncStream.makeStream(of: NoticeResponse.self)
        let id: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.lastID += 1
            state.listeners[state.lastID] = continuation
            return state.lastID
        }
        if let id {
            continuation.onTermination = { [weak self] _ in self?.remove(id) }
        } else {
            continuation.finish()
        }
        return NoticeCenter.Responses(stream: stream, listeners: self)
    }

    /// Sends all listeners a response that is handled elsewhere.
    package func send(_ response: NoticeResponse) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(response) }
    }

    /// Offers a response to all listeners, one of which must handle it. Returns false if there are none. `settle` is
    /// called once, on any thread; it is never called if the listeners are finished first.
    package func offer(_ response: NoticeResponse, settle: @escaping @Sendable (Outcome) -> Void) -> Bool {
        let listeners = state.withLock { state in
            if !state.listeners.isEmpty {
                state.offers[response.id] = Offer(holders: Set(state.listeners.keys), settle: settle)
            }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(response) }
        return !listeners.isEmpty
    }

    func handled(_ response: NoticeResponse) {
        state.withLock { $0.offers.removeValue(forKey: response.id) }?.settle(.handled)
    }

    package func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            // A response that was received can still be handled.
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    private func remove(_ listener: Int) {
        let released = state.withLock { state -> [Offer] in
            // After `finish()`, ended listeners don't release their responses.
            guard state.listeners.removeValue(forKey: listener) != nil else { return [] }
            var released: [Offer] = []
            for (id, var offer) in state.offers where offer.holders.remove(listener) != nil {
                state.offers[id] = offer.holders.isEmpty ? nil : offer
                if offer.holders.isEmpty { released.append(offer) }
            }
            return released
        }
        for offer in released { offer.settle(.released) }
    }
}

extension NoticeCenter {
    /// The responses of users, for one listener. Each listener needs its own sequence.
    ///
    /// If the center has no delegate, a response is kept until a listener has handled it: until the listener asks for
    /// the next one, or leaves its loop. A response that is being handled when the process ends is repeated after a
    /// restart.
    public struct Responses: AsyncSequence, Sendable {
        public typealias Element = NoticeResponse
        let stream: AsyncStream<NoticeResponse>
        let listeners: ResponseListeners

        public func makeAsyncIterator() -> Iterator { Iterator(over: stream, listeners: listeners) }

        /// Returns one response at a time; asking for the next one marks the previous one as handled.
        public struct Iterator: AsyncIteratorProtocol {
            private var base: AsyncStream<NoticeResponse>.Iterator
            private let inHand: ResponseInHand

            fileprivate init(over stream: AsyncStream<NoticeResponse>, listeners: ResponseListeners) {
                base = stream.makeAsyncIterator()
                inHand = ResponseInHand(listeners, of: stream)
            }

            public mutating func next() async -> NoticeResponse? { await next(isolation: #isolation) }

            public mutating func next(isolation actor: isolated (any Actor)?) async -> NoticeResponse? {
                inHand.replace(with: nil)
                let response = await base.next(isolation: actor)
                inHand.replace(with: response)
                return response
            }
        }
    }
}

extension NoticeCenter.Responses {
    /// Returns the first response that satisfies the predicate. That response and those before it count as handled.
    ///
    /// Unlike the standard library's version it stays on the caller's executor, so an idle process whose main actor
    /// waits here has no wake-ups.
    ///
    /// - Throws: Only the errors of `predicate`, transient or permanent.
    public func first(
        where predicate: @concurrent (NoticeResponse) async throws -> Bool
    ) async rethrows -> NoticeResponse? {
        // `@concurrent`: with a predicate of the caller's isolation, calls would mean the standard library's version.
        for await response in self where try await predicate(response) { return response }
        return nil
    }
}

/// The last response of an iterator. It is handled when another replaces it, or when the iterator is released.
private final class ResponseInHand: Sendable {
    private let listeners: ResponseListeners
    /// Retained until the last response is handled: releasing the last reference ends the stream, which releases its
    /// responses.
    private let stream: AsyncStream<NoticeResponse>
    private let response = Mutex<NoticeResponse?>(nil)

    init(_ listeners: ResponseListeners, of stream: AsyncStream<NoticeResponse>) {
        self.listeners = listeners
        self.stream = stream
    }

    deinit { replace(with: nil) }

    func replace(with next: NoticeResponse?) {
        let last = response.withLock { response in
            defer { response = next }
            return response
        }
        if let last { listeners.handled(last) }
    }
}
