/// The responses that nobody has handled, in order; a listener may have some of them in hand.
struct UnclaimedResponses {
    private(set) var all: [NoticeResponse] = []
    /// The delegate is at work.
    private(set) var isBeingHandled = false
    private var mustLookAgain = false
    private var lastSerial: Int64 = 0

    var isEmpty: Bool { all.isEmpty }

    /// Tells responses of one instant apart.
    mutating func nextSerial() -> Int64 {
        lastSerial += 1
        return lastSerial
    }

    mutating func append(_ response: NoticeResponse) { all.append(response) }

    /// A listener has handled it. False where somebody else has.
    mutating func remove(_ id: NoticeResponse.ID) -> Bool {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return false }
        all.remove(at: index)
        return true
    }

    // MARK: The delegate's turn

    /// True where somebody is to begin handing them over; who is at it looks again.
    mutating func begin(hasNext: Bool) -> Bool {
        guard !isBeingHandled else {
            mustLookAgain = true
            return false
        }
        isBeingHandled = hasNext
        return hasNext
    }

    mutating func takeNext(where isFree: (NoticeResponse) -> Bool) -> (index: Int, response: NoticeResponse)? {
        mustLookAgain = false
        guard let index = all.firstIndex(where: isFree) else { return nil }
        return (index, all.remove(at: index))
    }

    /// It could not be passed on. True where somebody may have come meanwhile who takes it.
    mutating func putBack(_ response: NoticeResponse, at index: Int) -> Bool {
        all.insert(response, at: min(index, all.count))
        return mustLookAgain
    }

    mutating func end() { isBeingHandled = false }
}
