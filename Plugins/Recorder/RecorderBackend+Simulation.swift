public import Belfry

/// What a user, or the server, does with a notice.
public enum SimulatedResponse: Sendable, Hashable {
    /// A click on the notice itself.
    case open
    /// A button, by its identifier.
    case action(String)
    /// A typed answer. `action` nil takes the notice's only action with a field.
    case reply(String, action: String? = nil)
    /// Closed by hand.
    case dismiss
    /// Its time on the screen is over.
    case expire
    /// Closed with any number that a server might send.
    case close(rawReason: UInt32)
}

extension RecorderBackend {
    /// Does to the notice of a request what a user or a server would, and reports it as a server does.
    ///
    /// An answer takes the notice off the screen unless its content is resident, and that closing is reported after the
    /// answer. What is reported before the center runs the backend reaches it when it does.
    ///
    /// - Parameters:
    ///   - response: What the user or the server does.
    ///   - requestID: Of several notices of one request the latest is taken.
    ///   - activationToken: The token that a server passes on so that the app may raise its window.
    /// - Throws: ``RecorderError`` when that request has nothing on the screen, or nothing of the kind to press there;
    ///   the message names what is there.
    public func simulate(_ response: SimulatedResponse, on requestID: String, activationToken: String? = nil) throws {
        let events = try state.withLock { state throws(RecorderError) in
            try state.answer(requestID, with: response, activationToken: activationToken)
        }
        post(events)
    }

    /// The server goes away with all that it showed. Calls throw ``Belfry/NoticeError/Code/noServer`` until it is back.
    public func takeServerAway() {
        let server = state.withLock { state -> String? in
            guard state.isServerThere else { return nil }
            state.isServerThere = false
            state.clearScreen()
            return state.server
        }
        if let server { post([.serverGone(server: server)]) }
    }

    /// A new run of the server, which counts its handles from one again.
    public func bringServerBack() {
        let server = state.withLock { state -> String? in
            guard !state.isServerThere else { return nil }
            state.restartServer()
            return state.server
        }
        if let server { post([.serverCame(server: server)]) }
    }

    /// Reports anything at all: news of a notice that never was, a second closing, a problem.
    public func report(_ event: BackendEvent) { post([event]) }
}

extension RecorderState {
    mutating func answer(
        _ requestID: String,
        with response: SimulatedResponse,
        activationToken: String?
    ) throws(RecorderError) -> [BackendEvent] {
        guard let notice = latest(of: requestID) else {
            throw RecorderError.notShown(requestID, in: self)
        }
        let reference = DeliveryReceipt.Reference(notice.receipt)
        let content = notice.delivery.content
        var events: [BackendEvent] = []
        func answered(_ action: String, _ text: String? = nil) -> BackendEvent {
            .answered(reference, action: action, text: text, activationToken: activationToken)
        }
        switch response {
        case .open:
            guard offered.features.contains(.actions) else { throw RecorderError.noActions(requestID) }
            events = [answered(NoticeAction.defaultID)]
        case .action(let id):
            events = [answered(try button(id, of: notice, where: { _ in true }).id)]
        case .reply(let text, let id):
            guard offered.features.contains(.reply) else { throw RecorderError.noReply(requestID) }
            events = [answered(try button(id, of: notice, where: \.takesReply).id, text)]
        case .dismiss: events = [.closed(reference, .dismissed)]
        case .expire: events = [.closed(reference, .expired)]
        case .close(let reason): events = [.closed(reference, NoticeResponse.CloseReason(rawValue: reason))]
        }
        guard case .answered = events[0] else {
            _ = remove(reference)
            return events
        }
        if !content.desktop.isResident {
            _ = remove(reference)
            events.append(.closed(reference, .dismissed))
        }
        return events
    }

    private func button(
        _ id: String?,
        of notice: ShownNotice,
        where fits: (NoticeAction) -> Bool
    ) throws(RecorderError) -> NoticeAction {
        guard offered.features.contains(.actions) else { throw RecorderError.noActions(notice.id) }
        let all = notice.delivery.content.actions
        let there = all.prefix(offered.actionLimit ?? all.count).filter(fits)
        guard let action = there.first(where: { id == nil || $0.id == id }) else {
            throw RecorderError.noAction(id, on: notice.id, there: there.map(\.id))
        }
        return action
    }
}

extension NoticeAction {
    fileprivate var takesReply: Bool {
        if case .reply = kind { true } else { false }
    }
}
