extension EmbeddedCenter {
    /// A response is stored: everybody who listens hears of it, and the designated handler takes it.
    func publish(_ response: NoticeResponse) {
        unclaimed.append(response)
        if let delegate {
            (delegate as? any ResponseRelay)?.arrived(response)
            responseListeners.send(response.handedOver(by: self))
            handleResponses()
        } else {
            offerUnclaimed()
        }
    }

    /// Without a designated handler, listeners handle what nobody has in hand; it stays in the store until one of them has.
    func offerUnclaimed() {
        for response in unclaimed.all where !responseListeners.isOffered(response) {
            let isHeard = responseListeners.offer(response.handedOver(by: self)) { [weak self] outcome in
                self?.settle(SettledResponse(id: response.id, outcome: outcome))
            }
            guard isHeard else { return }
        }
    }

    /// From whatever thread a listener runs on.
    private nonisolated func settle(_ response: SettledResponse) {
        guard settledResponses.put(response) else { return }
        Task(executorPreference: CenterThread.shared) { await self.takeSettledResponses() }
    }

    private func takeSettledResponses() {
        var hasReleased = false
        for settled in settledResponses.takeAll() {
            if settled.outcome == .released {
                hasReleased = true
            } else if unclaimed.remove(settled.id) {
                post(.event(.acknowledged(responseID: settled.id)))
            }
        }
        if hasReleased { if delegate == nil { offerUnclaimed() } else { handleResponses() } }
        checkQuiet()
    }

    /// Hands responses to the delegate, one after the other; each stays in the store until it was taken.
    func handleResponses() {
        let hasNext = delegate != nil && unclaimed.all.contains(where: isFree)
        guard unclaimed.begin(hasNext: hasNext) else { return }
        Task(executorPreference: CenterThread.shared) { await self.handOverUnclaimed() }
    }

    /// What a listener has in hand is the listener's.
    private func isFree(_ response: NoticeResponse) -> Bool { !responseListeners.isOffered(response) }

    private func handOverUnclaimed() async {
        while let delegate, let (index, response) = unclaimed.takeNext(where: isFree) {
            guard await take(response, by: delegate) else {
                if unclaimed.putBack(response, at: index) { continue } else { break }
            }
            post(.event(.acknowledged(responseID: response.id)))
        }
        unclaimed.end()
        checkQuiet()
    }

    /// False where it could not be passed on: it is kept, and offered again when a delegate is set anew.
    private func take(_ response: NoticeResponse, by delegate: any NoticeCenterDelegate) async -> Bool {
        if let relay = delegate as? any ResponseRelay { return await relay.relay(response) }
        let handed = response.handedOver(by: self)
        await withTaskExecutorPreference(AppThreads.shared) { await delegate.received(handed) }
        return true
    }
}

/// What became of a response that listeners were offered.
struct SettledResponse: Sendable {
    let id: NoticeResponse.ID
    let outcome: ResponseListeners.Outcome
}

/// A delegate that passes responses on to somebody who may not be there.
package protocol ResponseRelay: NoticeCenterDelegate {
    /// A response is there, maybe behind others that nobody has taken yet.
    func arrived(_ response: NoticeResponse)
    /// True when the response was taken.
    func relay(_ response: NoticeResponse) async -> Bool
}

extension NoticeCenter {
    /// `listener` is called whenever nothing is under way any more; it must not block.
    package func whenQuiet(_ listener: @escaping @Sendable () -> Void) async {
        await (engine as? EmbeddedCenter)?.setQuietListener(listener)
    }

    /// Nothing pending, nothing on the screen or on its way there, no response that waits to be taken.
    package func isIdle() async -> Bool { await (engine as? EmbeddedCenter)?.isIdle() ?? true }

    /// The identifiers of ``pending()``, in its order; of no other center than one in this process.
    package func pendingIDs() async throws(NoticeError) -> [String] {
        try await (engine as? EmbeddedCenter)?.pendingIDs() ?? []
    }

    /// What some of ``pendingIDs()`` stand for; nil where that was removed in the meantime.
    package func pending(_ ids: ArraySlice<String>) async throws(NoticeError) -> [PendingNotice?] {
        try await (engine as? EmbeddedCenter)?.pending(ids) ?? []
    }

    /// Whether a run has begun and can fire something. After ``CenterEngine/begun()``: false where the run failed to begin.
    package func hasAlarm() async -> Bool {
        guard let embedded = engine as? EmbeddedCenter else { return true }
        return await embedded.currentRun.alarm != nil
    }

    /// How many elements ``pending()`` has, without reading them.
    package func pendingCount() async -> Int { await (engine as? EmbeddedCenter)?.schedule.listedCount ?? 0 }
}

extension EmbeddedCenter {
    func isIdle() -> Bool {
        isQuiet(exceptHandler: false) && unclaimed.isEmpty && !permission.isOpen && schedule.entries.count == 0
            && schedule.notices.count == 0
    }
}
