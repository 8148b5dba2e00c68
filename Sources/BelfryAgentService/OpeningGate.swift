/// Lets a few apps be opened at a time, and one that may have crashed the process alone.
///
/// While that one is opened no other is: whatever ends the process then is its doing.
actor OpeningGate {
    private struct Waiter {
        var room: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    private let width: Int
    private var free: Int
    /// First come, first served.
    private var waiters: [Waiter] = []

    init(width: Int = 8) {
        self.width = width
        free = width
    }

    /// How many wait.
    var waiting: Int { waiters.count }

    func enter(alone: Bool) async {
        let room = alone ? width : 1
        if waiters.isEmpty, free >= room {
            free -= room
            return
        }
        await withCheckedContinuation { waiters.append(Waiter(room: room, continuation: $0)) }
    }

    func leave(alone: Bool) {
        free += alone ? width : 1
        while let next = waiters.first, free >= next.room {
            free -= next.room
            waiters.removeFirst()
            next.continuation.resume()
        }
    }
}
