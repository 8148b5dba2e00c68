/// The unhandled responses, in order, and their handler: the delegate, or else a listener.
///
/// A response stays here, and in the store, until it is handled. The delegate doesn't get responses that a listener
/// has.
struct ResponseCenter {
    var delegate: (any NoticeCenterDelegate)?
    private let listeners = ResponseListeners()
    private var responses: [NoticeResponse] = []
    /// Those that listeners have, until the engine has processed how that ended.
    private var offered: Set<NoticeResponse.ID> = []
    private var isDelegateAtWork = false
    private var mustLookAgain = false
    private var lastSerial: Int64 = 0

    /// False also while the delegate has a response in hand, which comes back if it can't be passed on.
    var isEmpty: Bool { responses.isEmpty && !isDelegateAtWork }
    /// True while the delegate is at work. A relay waits for another process, whose work doesn't count.
    var isHandlerAtWork: Bool { isDelegateAtWork && !(delegate is any ResponseRelay) }

    /// Returns a number that distinguishes responses of the same instant.
    mutating func nextSerial() -> Int64 {
        lastSerial += 1
        return lastSerial
    }

    mutating func append(_ response: NoticeResponse) {
        responses.append(response)
        (delegate as? any ResponseRelay)?.arrived(response)
    }

    /// Removes a response that a listener has handled. Returns false if it was handled already.
    mutating func remove(_ id: NoticeResponse.ID) -> Bool {
        offered.remove(id)
        guard let index = responses.firstIndex(where: { $0.id == id }) else { return false }
        responses.remove(at: index)
        return true
    }

    // MARK: Listeners

    func listen() -> NoticeCenter.Responses { listeners.listen() }

    /// Sends listeners a response that the delegate handles.
    func send(_ response: NoticeResponse) { listeners.send(response) }

    /// Offers free responses to the listeners, converted by `attach`. `settle` may be called on any thread; then
    /// ``remove(_:)`` or ``release(_:)`` must be called.
    mutating func offer(
        _ attach: (NoticeResponse) -> NoticeResponse,
        settle: @escaping @Sendable (NoticeResponse.ID, ResponseListeners.Outcome) -> Void
    ) {
        for response in responses where response.undisplayed == nil && isFree(response) {
            guard listeners.offer(attach(response), settle: { settle(response.id, $0) }) else { return }
            offered.insert(response.id)
        }
    }

    /// Makes a response free that all of its listeners have left without handling it.
    mutating func release(_ id: NoticeResponse.ID) { offered.remove(id) }

    /// Removes and returns the notices that are due and not to be displayed, for listeners of events.
    mutating func takeUndisplayed() -> [NoticeResponse] {
        defer { responses.removeAll { $0.undisplayed != nil } }
        return responses.filter { $0.undisplayed != nil }
    }

    func finish() { listeners.finish() }

    private func isFree(_ response: NoticeResponse) -> Bool { !offered.contains(response.id) }

    // MARK: The delegate

    /// Returns true if the caller must serve the delegate until ``next()`` returns nil. A task already doing so checks
    /// again.
    mutating func begin() -> Bool {
        guard !isDelegateAtWork else {
            mustLookAgain = true
            return false
        }
        isDelegateAtWork = delegate != nil && responses.contains(where: isFree)
        return isDelegateAtWork
    }

    /// Removes and returns the next response for the delegate. Nil ends the caller's turn.
    mutating func next() -> (index: Int, response: NoticeResponse, delegate: any NoticeCenterDelegate)? {
        mustLookAgain = false
        guard let delegate, let index = responses.firstIndex(where: isFree) else {
            isDelegateAtWork = false
            return nil
        }
        return (index, responses.remove(at: index), delegate)
    }

    /// Reinserts a response that could not be passed on. Returns false to end the caller's turn, unless ``begin()`` was
    /// called in the meantime.
    mutating func putBack(_ response: NoticeResponse, at index: Int) -> Bool {
        responses.insert(response, at: min(index, responses.count))
        isDelegateAtWork = mustLookAgain
        return mustLookAgain
    }
}

/// A delegate that passes responses on to a receiver that may be absent.
package protocol ResponseRelay: NoticeCenterDelegate {
    /// Called when a response has arrived; earlier ones may still be unhandled.
    func arrived(_ response: NoticeResponse)
    /// Passes a response on. Returns true if the receiver took it.
    func relay(_ response: NoticeResponse) async -> Bool
}
