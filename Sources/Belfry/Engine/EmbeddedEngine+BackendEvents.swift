// Handling of the backend's events.
extension EmbeddedEngine {
    func process(_ event: BackendEvent, of backend: String) async {
        switch event {
        case .responded(let reference, let action, let text, let token):
            guard let (id, standing) = standing(reference, of: backend, orHold: event) else { return }
            let response = await response(to: id, standing, kind(action, text), token: token)
            await handle(.responded(response))
        case .closed(let reference, let reason):
            guard let (id, standing) = standing(reference, of: backend, orHold: event) else { return }
            let response = await response(to: id, standing, .dismissed, token: nil)
            await handle(.closed(standing.receipt.key, reason, response: response))
        case .serverGone(let server):
            deliveries.serverChanged()
            await handle(.serverGone(backend: backend, server: server))
        case .serverCame(let server):
            deliveries.serverChanged()
            await handle(.serverCame(backend: backend, server: server))
        case .error(let error): report(error)
        case .from(let other, let event): await process(event, of: other)
        }
    }

    /// Returns the notice that an event refers to. An event of an unknown notice is kept for the next receipts.
    private func standing(
        _ reference: DeliveryReceipt.Reference,
        of backend: String,
        orHold event: BackendEvent
    ) -> (id: String, NoticeState.Delivered)? {
        let key = ReceiptKey(backend: backend, server: reference.server, handle: reference.handle)
        if let id = schedule.notices.idsByReceipt[key], let standing = schedule.notices[id]?.delivered {
            return (id, standing)
        }
        deliveries.hold(event, of: key, from: backend)
        return nil
    }

    private func kind(_ action: String, _ text: String?) -> NoticeResponse.Kind {
        if let text { return .reply(action: action, text: text) }
        return action == NoticeAction.defaultID ? .opened : .action(action)
    }

    private func response(
        to id: String,
        _ standing: NoticeState.Delivered,
        _ kind: NoticeResponse.Kind,
        token: String?
    ) async -> NoticeResponse {
        // If the store can't be read now, the response is still kept; only the app's data in the request is missing.
        var request = try? await setup.store.request(revision: standing.revision)
        if let found = request {
            request?.content = found.content(of: standing.record)
            request?.escalation = []
            request?.trigger = nil
        }
        let now = clock.now()
        var response = NoticeResponse(
            id: "\(standing.deliveryID)/\(now.boot)-\(responseCenter.nextSerial())",
            requestID: id,
            deliveryID: standing.deliveryID,
            kind: kind,
            date: now.date,
            series: standing.traits.series,
            userInfo: request?.content.userInfo ?? [:],
            activationToken: token,
            request: request,
            thread: standing.traits.thread,
            snoozeCount: standing.record.snoozes
        )
        response.requestRevision = standing.record.requestRevision
        return response
    }
}
