import Belfry
import Dispatch
import Synchronization

/// Reading the files of notices off the thread that all centers share: a file system may not reply.
extension PortalSession {
    /// Returns the message that `make` makes of a delivery; without its files if they can't be read in time.
    func message(
        of delivery: Delivery,
        _ make: @escaping @Sendable (Delivery) -> PortalMessage
    ) async -> PortalMessage {
        // What follows a notice with files waits for that one, so that notices are shown in order.
        let isQueued = state.withLock { state in
            guard delivery.namesFiles || state.queuedMessages > 0 else { return false }
            state.queuedMessages += 1
            return true
        }
        guard isQueued else { return make(delivery) }
        defer { state.withLock { $0.queuedMessages -= 1 } }
        let limit = min(limit, Delivery.fileLimit)
        let message = await withTimeout(limit) { [files] in await files.perform { make(delivery) } }
        return message ?? make(delivery.withoutFiles("could not be read within \(limit.seconds) s"))
    }
}
