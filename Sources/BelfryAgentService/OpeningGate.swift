/// Limits how many apps are opened at a time. An app that may have crashed the process is opened alone.
///
/// Then any crash during its opening is caused by that app.
actor OpeningGate {
    private struct Waiter {
        var room: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    private let width: Int
    private var free: Int
    /// The waiting callers, in the order of arrival.
    private var waiters: [Waiter] = []

    init(width: Int = 8) {
        self.width = width
        free = width
    }

    /// The number of waiting callers.
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
