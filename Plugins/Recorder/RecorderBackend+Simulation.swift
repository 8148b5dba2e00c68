public import Belfry

/// An action of the user, or of the server, on a notice.
///
/// ```swift
/// let recorder = RecorderBackend()
/// let center = NoticeCenter(app: app, backend: recorder)
/// try await center.run { center in
///     try await center.show(content, id: "message-7")
///     try recorder.simulate(.reply("On my way"), on: "message-7")
/// }
/// ```
public enum SimulatedResponse: Sendable, Hashable {
    /// A click on the notice itself.
    case open
    /// A button, by its identifier.
    case action(String)
    /// A typed reply. If `action` is nil, the notice's only action with a text field.
    case reply(String, action: String? = nil)
    /// Closed by the user.
    case dismiss
    /// Closed by the server after its time on the screen.
    case expire
    /// Closed with any reason number that a server might send.
    case close(rawReason: UInt32)
}

extension RecorderBackend {
    /// Simulates an action of the user or the server on a request's notice, and reports it as a server does.
    ///
    /// A response closes the notice unless its content is resident; the closing is reported after the response. Events
    /// before the center runs the backend are reported once it does.
    ///
    /// - Parameters:
    ///   - response: The action of the user or the server.
    ///   - requestID: The request. If it has several notices, the latest is used.
    ///   - activationToken: The token that a server passes on so that the app may raise its window.
    /// - Throws: ``RecorderError`` (permanent) if the request has no notice on the screen, or the notice has no such
    ///   action. The message lists what is there.
    public func simulate(_ response: SimulatedResponse, on requestID: String, activationToken: String? = nil) throws {
        let events = try state.withLock { state throws(RecorderError) in
            try state.respond(requestID, with: response, activationToken: activationToken)
        }
        listener.report(events)
    }

    /// Stops the server and drops all its notices. Calls throw ``Belfry/NoticeError/Code/noServer`` until it is back.
    public func removeServer() {
        let server = state.withLock { state -> String? in
            guard state.isServerThere else { return nil }
            state.isServerThere = false
            state.clearScreen()
            return state.server
        }
        if let server { listener.report([.serverGone(server: server)]) }
    }

    /// Starts a new run of the server, which counts its handles from one again.
    public func restoreServer() {
        let server = state.withLock { state -> String? in
            guard !state.isServerThere else { return nil }
            state.restartServer()
            return state.server
        }
        if let server { listener.report([.serverCame(server: server)]) }
    }

    /// Reports any event: for an unknown notice, a second closing, an error.
    public func report(_ event: BackendEvent) { listener.report([event]) }
}

extension RecorderState {
    mutating func respond(
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
        func responded(_ action: String, _ text: String? = nil) -> BackendEvent {
            .responded(reference, action: action, text: text, activationToken: activationToken)
        }
        switch response {
        case .open:
            guard offered.features.contains(.actions) else { throw RecorderError.noActions(requestID) }
            events = [responded(NoticeAction.defaultID)]
        case .action(let id):
            events = [responded(try button(id, of: notice, where: { _ in true }).id)]
        case .reply(let text, let id):
            guard offered.features.contains(.reply) else { throw RecorderError.noReply(requestID) }
            events = [responded(try button(id, of: notice, where: \.takesReply).id, text)]
        case .dismiss: events = [.closed(reference, .dismissed)]
        case .expire: events = [.closed(reference, .expired)]
        case .close(let reason): events = [.closed(reference, NoticeResponse.CloseReason(rawValue: reason))]
        }
        guard case .responded = events[0] else {
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
