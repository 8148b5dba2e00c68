import Synchronization

/// The latest attempts of a chain at its deliveries, which decide about notices that are shown after their timeout.
///
/// A retry at the same backend may have shown the notice, too. Under the same handle it is one notice, which stays.
/// Under another one it is a second notice, and the late one is withdrawn.
final class ChainAttempts: Sendable {
    /// An attempt of one backend at one delivery.
    struct Attempt: Sendable {
        fileprivate let deliveryID: String
        fileprivate let backend: Int
        fileprivate let number: Int
    }

    /// The latest attempt of a backend at a delivery.
    private struct Latest {
        let attempt: Attempt
        /// Whether there were earlier attempts, which may still return.
        var isRetry = false
        var isOver = false
        /// Whether this attempt or an earlier one gave no receipt, although it may have shown the notice.
        var isUnconfirmed = false
        var shown: ReceiptKey?
        /// Receipts of earlier attempts that came during this one.
        var late: [DeliveryReceipt] = []
    }

    private struct State {
        /// Oldest first, at most ``limit``.
        var latest: [Latest] = []
        var count = 0

        /// Returns the index of the latest attempt of the same backend at the same delivery.
        func index(for attempt: Attempt) -> Int? {
            latest.firstIndex {
                $0.attempt.backend == attempt.backend && $0.attempt.deliveryID == attempt.deliveryID
            }
        }
    }

    private static let limit = 256

    private let state = Mutex(State())

    func begin(_ deliveryID: String, at backend: Int) -> Attempt {
        state.withLock { state in
            state.count += 1
            let attempt = Attempt(deliveryID: deliveryID, backend: backend, number: state.count)
            var new = Latest(attempt: attempt)
            if let index = state.index(for: attempt) {
                let old = state.latest.remove(at: index)
                (new.isRetry, new.late, new.isUnconfirmed) = (true, old.late, old.isUnconfirmed)
            } else if state.latest.count == Self.limit {
                state.latest.removeFirst()
            }
            state.latest.append(new)
            return attempt
        }
    }

    /// Returns whether an earlier attempt at a delivery, by any backend, may have shown it without a receipt.
    func mayHaveShown(_ deliveryID: String) -> Bool {
        state.withLock { $0.latest.contains { $0.isUnconfirmed && $0.attempt.deliveryID == deliveryID } }
    }

    /// Records the end of an attempt, with what it has shown. Returns the late receipts that are to be withdrawn now.
    ///
    /// - Parameter isUnconfirmed: Whether it may have shown the notice although it gave no receipt.
    func end(_ attempt: Attempt, with shown: ReceiptKey?, isUnconfirmed: Bool = false) -> [DeliveryReceipt] {
        state.withLock { state in
            guard let index = state.index(for: attempt), state.latest[index].attempt.number == attempt.number else {
                return []
            }
            let late = state.latest[index].late
            if shown != nil, !state.latest[index].isRetry {
                state.latest.remove(at: index)
            } else {
                state.latest[index].isOver = true
                state.latest[index].shown = shown
                state.latest[index].late = []
                if isUnconfirmed { state.latest[index].isUnconfirmed = true }
            }
            return late.filter { $0.key != shown }
        }
    }

    /// Handles that a notice is withdrawn: a late attempt that shows it again is no part of it.
    func forget(_ key: ReceiptKey) {
        state.withLock { state in
            for index in state.latest.indices where state.latest[index].shown == key { state.latest[index].shown = nil }
        }
    }

    /// Handles a receipt that came after the timeout of its attempt. Returns the late receipts that are to be withdrawn
    /// now: none while a later attempt is in progress, because it may return the same handle.
    func returnedLate(_ receipt: DeliveryReceipt, of attempt: Attempt) -> [DeliveryReceipt] {
        state.withLock { state in
            guard let index = state.index(for: attempt), state.latest[index].attempt.number > attempt.number else {
                return [receipt]
            }
            guard state.latest[index].isOver else {
                state.latest[index].late.append(receipt)
                return []
            }
            return state.latest[index].shown == receipt.key ? [] : [receipt]
        }
    }
}
