/// The responses that nobody has handled yet, in order, and who may: the delegate, or a listener where there is none.
///
/// A response stays here, and in the store, until it is handled. What a listener has in hand the delegate doesn't get.
struct ResponseCenter {
    var delegate: (any NoticeCenterDelegate)?
    private let listeners = ResponseListeners()
    private var responses: [NoticeResponse] = []
    private var isDelegateAtWork = false
    private var mustLookAgain = false
    private var lastSerial: Int64 = 0

    var isEmpty: Bool { responses.isEmpty }
    /// A relay waits for another process: what that is still doing is not this center's work.
    var isHandlerAtWork: Bool { isDelegateAtWork && !(delegate is any ResponseRelay) }

    /// Tells responses of one instant apart.
    mutating func nextSerial() -> Int64 {
        lastSerial += 1
        return lastSerial
    }

    mutating func append(_ response: NoticeResponse) {
        responses.append(response)
        (delegate as? any ResponseRelay)?.arrived(response)
    }

    /// A listener has handled it. False where somebody else has.
    mutating func remove(_ id: NoticeResponse.ID) -> Bool {
        guard let index = responses.firstIndex(where: { $0.id == id }) else { return false }
        responses.remove(at: index)
        return true
    }

    // MARK: Listeners

    func listen() -> NoticeCenter.Responses { listeners.listen() }

    /// Lets listeners hear a response that the delegate handles.
    func send(_ response: NoticeResponse) { listeners.send(response) }

    /// Offers what nobody has in hand to the listeners, as `handOver` makes it; `settle` is called from whatever
    /// thread.
    func offer(
        _ handOver: (NoticeResponse) -> NoticeResponse,
        settle: @escaping @Sendable (NoticeResponse.ID, ResponseListeners.Outcome) -> Void
    ) {
        for response in responses where response.undisplayed == nil && isFree(response) {
            guard listeners.offer(handOver(response), settle: { settle(response.id, $0) }) else { return }
        }
    }

    /// Takes out what is due and never displayed, for listeners to events.
    mutating func takeUndisplayed() -> [NoticeResponse] {
        defer { responses.removeAll { $0.undisplayed != nil } }
        return responses.filter { $0.undisplayed != nil }
    }

    func finish() { listeners.finish() }

    private func isFree(_ response: NoticeResponse) -> Bool { !listeners.isOffered(response) }

    // MARK: The delegate

    /// True where the caller is to give the delegate what there is, until ``next()`` is nil; who is at it looks again.
    mutating func begin() -> Bool {
        guard !isDelegateAtWork else {
            mustLookAgain = true
            return false
        }
        isDelegateAtWork = delegate != nil && responses.contains(where: isFree)
        return isDelegateAtWork
    }

    /// Takes out what the delegate gets next. Nil ends the caller's turn.
    mutating func next() -> (index: Int, response: NoticeResponse, delegate: any NoticeCenterDelegate)? {
        mustLookAgain = false
        guard let delegate, let index = responses.firstIndex(where: isFree) else {
            isDelegateAtWork = false
            return nil
        }
        return (index, responses.remove(at: index), delegate)
    }

    /// It could not be passed on, and keeps its position. False ends the caller's turn: nobody has come meanwhile who
    /// takes it.
    mutating func putBack(_ response: NoticeResponse, at index: Int) -> Bool {
        responses.insert(response, at: min(index, responses.count))
        isDelegateAtWork = mustLookAgain
        return mustLookAgain
    }
}

/// A delegate that passes responses on to somebody who may not be there.
package protocol ResponseRelay: NoticeCenterDelegate {
    /// A response is there, maybe behind others that nobody has taken yet.
    func arrived(_ response: NoticeResponse)
    /// True when the response was taken.
    func relay(_ response: NoticeResponse) async -> Bool
}
