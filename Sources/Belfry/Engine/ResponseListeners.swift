import Synchronization

/// Hands responses to any number of listeners, and knows which of them no listener has handled yet.
///
/// A listener has handled a response when it asks for the next one, or when its loop is over. A response whose
/// listeners have all gone without doing so is released: whoever offered it keeps it for the next listener.
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
        // Without a bound: what a user answers is little, and a response that is dropped here would count as in hand.
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

    /// Lets all listeners hear a response that somebody else handles.
    package func send(_ response: NoticeResponse) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(response) }
    }

    /// Gives a response to all listeners, of whom one is to handle it; false where there are none. `settle` is called
    /// once, from whatever thread, and not at all when the listeners are finished first.
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

    /// True while a listener has the response in hand.
    package func isOffered(_ response: NoticeResponse) -> Bool { state.withLock { $0.offers[response.id] != nil } }

    func handled(_ response: NoticeResponse) {
        state.withLock { $0.offers.removeValue(forKey: response.id) }?.settle(.handled)
    }

    package func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            // What was received and not handled yet can still be.
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    private func remove(_ listener: Int) {
        let released = state.withLock { state -> [Offer] in
            // The end of all listeners is not that of one.
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
    /// The responses of users, for one listener; ask the center again for another.
    ///
    /// Where the center has no delegate, a response is kept until a listener has handled it: until the listener asks
    /// for the next one, or its loop is left. A response that is being handled when the process ends comes again after
    /// a restart.
    public struct Responses: AsyncSequence, Sendable {
        public typealias Element = NoticeResponse
        let stream: AsyncStream<NoticeResponse>
        let listeners: ResponseListeners

        public func makeAsyncIterator() -> Iterator { Iterator(over: stream, listeners: listeners) }

        /// Hands out one response at a time; asking for the next handles the one before.
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
    /// The first response that satisfies the predicate; those before it, and itself, count as handled.
    ///
    /// Unlike the standard library's it stays on the caller's executor: an idle process whose main actor waits here has
    /// no wake-ups.
    public func first(
        where predicate: (NoticeResponse) async throws -> Bool
    ) async rethrows -> NoticeResponse? {
        for await response in self where try await predicate(response) { return response }
        return nil
    }
}

/// The response that an iterator gave out last. It is handled when another takes its place, or the iterator is gone.
private final class ResponseInHand: Sendable {
    private let listeners: ResponseListeners
    /// Kept until the last response is handled: with its last reference the stream ends, which releases what is in
    /// hand.
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
