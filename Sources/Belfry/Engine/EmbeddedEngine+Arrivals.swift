/// What comes to an engine from whatever thread.
enum Arrival: Sendable {
    case backend(BackendEvent)
    case woke(WakeReason)
    /// There are location fixes in their inbox.
    case fixes
    /// The backend has returned from a delivery, or has not within its timeout.
    case landed(InFlightDelivery, Result<DeliveryReceipt, NoticeError>?, took: Duration)
    /// It has returned after the timeout.
    case landedLate(InFlightDelivery, Result<DeliveryReceipt, NoticeError>)
    /// A listener has handled a response that it was offered, or has left it to others.
    case settled(NoticeResponse.ID, ResponseListeners.Outcome)
}

extension EmbeddedEngine {
    nonisolated func receive(_ arrival: Arrival) {
        guard inbox.put(arrival) else { return }
        // Begun here, it has one switch to make: the one to the actor.
        Task.immediate(executorPreference: CenterThread.shared) { await self.processArrivals() }
    }

    /// What has come together is processed in one turn, and in this task: nobody cancels it.
    func processArrivals() async {
        var hasReleased = false
        for arrival in inbox.takeAll() {
            switch arrival {
            case .backend(let event): commits.append(.backend(event))
            case .woke(let reason): process(reason)
            case .fixes: commits.append(.fixes)
            case .landed(let flight, let result, let took): landed(flight, result, took: took)
            case .landedLate(let flight, let result): landedLate(flight, result)
            case .settled(_, .released): hasReleased = true
            case .settled(let id, .handled):
                if responseCenter.remove(id) { commits.append(.event(.acknowledged(responseID: id))) }
            }
        }
        if hasReleased { assignResponses() }
        if commits.begin() { await processQueue() } else { checkQuiet() }
    }
}
