extension EmbeddedCenter {
    /// An answer is stored: everybody who listens hears of it, and the designated handler takes it.
    func publish(_ response: NoticeResponse) {
        unclaimed.append(response)
        if delegate != nil {
            responseBroadcast.send(response)
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
            responseBroadcast.send(response)
            post(.event(.acknowledged(responseID: response.id)))
        }
    }

    /// Hands responses to the delegate, one after the other; each stays in the store until it was taken.
    func handleResponses() {
        guard !isHandlingResponses, !unclaimed.isEmpty, delegate != nil else { return }
        isHandlingResponses = true
        Task {
            while let delegate, !unclaimed.isEmpty {
                let response = unclaimed.removeFirst()
                await delegate.received(response)
                post(.event(.acknowledged(responseID: response.id)))
            }
            isHandlingResponses = false
            checkQuiet()
        }
    }
}
