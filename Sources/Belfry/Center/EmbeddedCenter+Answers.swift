extension EmbeddedCenter {
    /// An answer is stored: everybody who listens hears of it, and the designated handler takes it.
    func publish(_ response: NoticeResponse) {
        unclaimed.append(response)
        if let delegate {
            (delegate as? any ResponseRelay)?.arrived(response)
            responseBroadcast.send(response.handedOver(by: self))
            handleResponses()
        } else {
            handUnclaimedToListeners()
        }
    }

    /// Without a designated handler, being heard is being taken.
    func handUnclaimedToListeners() {
        guard responseBroadcast.hasListeners else { return }
        let all = unclaimed
        unclaimed = []
        for response in all {
            responseBroadcast.send(response.handedOver(by: self))
            post(.event(.acknowledged(responseID: response.id)))
        }
    }

    /// Hands responses to the delegate, one after the other; each stays in the store until it was taken.
    func handleResponses() {
        guard !isHandlingResponses else {
            mustHandleAgain = true
            return
        }
        guard !unclaimed.isEmpty, delegate != nil else { return }
        isHandlingResponses = true
        Task(executorPreference: CenterThread.shared) { await self.handOverUnclaimed() }
    }

    private func handOverUnclaimed() async {
        while let delegate, !unclaimed.isEmpty {
            mustHandleAgain = false
            let response = unclaimed.removeFirst()
            guard await take(response, by: delegate) else {
                unclaimed.insert(response, at: 0)
                // Somebody may have come while the answer was no.
                if mustHandleAgain { continue } else { break }
            }
            post(.event(.acknowledged(responseID: response.id)))
        }
        isHandlingResponses = false
        checkQuiet()
    }

    /// False where it could not be passed on: it is kept, and offered again when a delegate is set anew.
    private func take(_ response: NoticeResponse, by delegate: any NoticeCenterDelegate) async -> Bool {
        if let relay = delegate as? any ResponseRelay { return await relay.relay(response) }
        let handed = response.handedOver(by: self)
        await withTaskExecutorPreference(globalConcurrentExecutor) { await delegate.received(handed) }
        return true
    }
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

    /// A part of ``pending()``, and whether there is more of it.
    package func pending(
        from offset: Int,
        atMost limit: Int
    ) async throws(NoticeError) -> (page: [PendingNotice], hasMore: Bool) {
        guard let embedded = engine as? EmbeddedCenter else { return (try await pending(), false) }
        return try await embedded.pending(from: offset, atMost: limit)
    }

    /// How many elements ``pending()`` has, without reading them.
    package func pendingCount() async -> Int { await (engine as? EmbeddedCenter)?.schedule.listedCount ?? 0 }
}

extension EmbeddedCenter {
    func isIdle() -> Bool {
        isQuiet(exceptHandler: false) && unclaimed.isEmpty && askers.isEmpty && schedule.entries.count == 0
            && schedule.notices.count == 0
    }
}
