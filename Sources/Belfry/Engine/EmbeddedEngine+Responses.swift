extension EmbeddedEngine {
    func responses() -> NoticeCenter.Responses {
        let listener = responseCenter.listen()
        if responseCenter.delegate == nil { assignResponses() }
        return listener
    }

    func setDelegate(_ delegate: (any NoticeCenterDelegate)?) {
        responseCenter.delegate = delegate
        assignResponses()
    }

    /// Handles a stored response: sends it to all listeners, and gives it to the handler.
    func publish(_ response: NoticeResponse) {
        responseCenter.append(response)
        if responseCenter.delegate != nil, response.undisplayed == nil {
            responseCenter.send(response.attached(to: self))
        }
        assignResponses()
    }

    /// Gives the app a due notice that is not to be displayed. It is kept like a response until the app has received
    /// it, and starts the app if necessary. No permission to show it is needed.
    func deliverToApp(_ content: NoticeContent, _ order: DeliveryOrder, for languages: [String]?) {
        let response = NoticeResponse(undisplayed: completed(content, for: languages), order, at: clock.now())
        post(.event(.givenToApp(order.reference, response)))
    }

    /// Assigns free responses to the delegate, or to the listeners if there is no delegate.
    func assignResponses() {
        if responseCenter.delegate == nil {
            if eventBroadcast.hasListeners { sendUndisplayed() }
            responseCenter.offer {
                $0.attached(to: self)
            } settle: { [weak self] in
                self?.receive(.settled($0, $1))
            }
        } else if responseCenter.begin() {
            Task.immediate(executorPreference: CenterThread.shared) { await self.deliverResponses() }
        }
    }

    private func sendUndisplayed() {
        for response in responseCenter.takeUndisplayed() {
            if let delivery = response.undisplayedDelivery(of: setup.app) {
                eventBroadcast.send(.undisplayed(delivery))
            }
            post(.event(.acknowledged(responseID: response.id)))
        }
    }

    /// Gives responses to the delegate one by one. Each stays in the store until the delegate has returned.
    private func deliverResponses() async {
        while let (index, response, delegate) = responseCenter.next() {
            if await deliver(response, to: delegate) {
                post(.event(.acknowledged(responseID: response.id)))
            } else if !responseCenter.putBack(response, at: index) {
                break
            }
        }
        checkQuiet()
    }

    /// Returns false if the response could not be passed on. It is kept, and offered again when a delegate is set.
    private func deliver(_ response: NoticeResponse, to delegate: any NoticeCenterDelegate) async -> Bool {
        if let relay = delegate as? any ResponseRelay { return await relay.relay(response) }
        let attached = response.attached(to: self)
        let app = setup.app
        await withTaskExecutorPreference(AppThreads.shared) { await delegate.receive(attached, of: app) }
        return true
    }
}

extension NoticeCenter {
    /// Calls `listener` whenever no work is in progress any more; it must not block.
    package func whenQuiet(_ listener: @escaping @Sendable () -> Void) async {
        await (engine as? EmbeddedEngine)?.setQuietListener(listener)
    }

    /// Returns true if nothing is pending, in flight or on the screen, no response is unhandled, and the app has no
    /// badge.
    package func isIdle() async -> Bool { await (engine as? EmbeddedEngine)?.isIdle() ?? true }

    /// Returns the identifiers of ``pending()``, in its order; empty unless the engine is in this process.
    package func pendingIDs() async throws(NoticeError) -> [String] {
        try await (engine as? EmbeddedEngine)?.pendingIDs() ?? []
    }

    /// Returns the notices for some of ``pendingIDs()``; nil for each that was removed in the meantime.
    package func pending(_ ids: ArraySlice<String>) async throws(NoticeError) -> [PendingNotice?] {
        try await (engine as? EmbeddedEngine)?.pending(ids) ?? []
    }

    /// Whether a run has begun and can fire requests. False after ``CenterEngine/begun()`` if the run failed to begin.
    package func hasAlarm() async -> Bool {
        guard let embedded = engine as? EmbeddedEngine else { return true }
        return await embedded.currentRun.alarm != nil
    }

    /// Returns the number of elements of ``pending()``, without reading them.
    package func pendingCount() async -> Int { await (engine as? EmbeddedEngine)?.schedule.listedCount ?? 0 }
}

extension EmbeddedEngine {
    func isIdle() -> Bool {
        isQuiet(exceptHandler: false) && responseCenter.isEmpty && permission.openPrompt == nil
            && schedule.entries.count == 0 && schedule.notices.count == 0 && deliveries.badge == 0
    }
}

extension NoticeResponse {
    /// The delivery that the app receives; nil for a response of the user.
    package func undisplayedDelivery(of app: AppIdentity) -> Delivery? {
        undisplayed.map { content in
            Delivery(
                id: deliveryID,
                requestID: requestID,
                app: app,
                content: content,
                dueDate: date,
                late: firing?.late ?? .zero,
                isPossiblyRepeated: firing?.isPossiblyRepeated ?? false,
                series: series,
                snoozeCount: snoozeCount,
                crossing: firing?.crossing
            )
        }
    }
}

extension NoticeCenterDelegate {
    /// Passes a response to the app's handler. Returns when the app has handled it.
    package func receive(_ response: NoticeResponse, of app: AppIdentity) async {
        if let delivery = response.undisplayedDelivery(of: app) {
            await handleUndisplayed(delivery)
        } else {
            await handle(response)
        }
    }
}
