/// The input of an engine from other threads.
enum Arrival: Sendable {
    case backend(BackendEvent)
    case woke(WakeReason)
    /// Location fixes are waiting in their inbox.
    case fixes
    /// The backend returned from a delivery, or exceeded its timeout (nil).
    case landed(InFlightDelivery, Result<DeliveryReceipt, NoticeError>?)
    /// The backend returned after the timeout.
    case landedLate(InFlightDelivery, Result<DeliveryReceipt, NoticeError>)
    /// A listener handled an offered response, or all listeners released it.
    case settled(NoticeResponse.ID, ResponseListeners.Outcome)
}

extension EmbeddedEngine {
    nonisolated func receive(_ arrival: Arrival) {
        guard inbox.put(arrival) else { return }
        // An immediate task switches executors only once, to the actor.
        Task.immediate(executorPreference: CenterThread.shared) { await self.processArrivals() }
    }

    /// Processes everything that has arrived together, in this task, which is never canceled.
    func processArrivals() async {
        var hasReleased = false
        for arrival in inbox.takeAll() {
            switch arrival {
            case .backend(let event): commits.append(.backend(event))
            case .woke(let reason): process(reason)
            case .fixes: commits.append(.fixes)
            case .landed(let flight, let result): landed(flight, result)
            case .landedLate(let flight, let result): landedLate(flight, result)
            case .settled(let id, .released):
                responseCenter.release(id)
                hasReleased = true
            case .settled(let id, .handled):
                if responseCenter.remove(id) { commits.append(.event(.acknowledged(responseID: id))) }
            }
        }
        if hasReleased { assignResponses() }
        if commits.begin() { await processQueue() } else { checkQuiet() }
    }
}
