import Belfry
import BelfryBus
import BelfryServers

/// The state of one notice that the server shows for us, with signals that have not been reported yet.
///
/// Signals arrive in any order: the text of a reply before or after the press of its button, the closing before the
/// response, the token after it. So they are collected until a round trip to the server ends, and reported together.
struct ShownNotice {
    struct Response {
        var action: String
        var text: String?
        var token: String?
        var isFromField: Bool
    }

    /// Action identifiers by their keys on the bus, where the two differ.
    let identifiers: [String: String]
    let isResident: Bool
    /// Whether responses can arrive: it has actions, including the click on it.
    let hasActions: Bool
    /// The server's close reason for a close by the user, if it isn't 2.
    let closedByHand: UInt32?

    private var hasResponse = false
    private var token: String?
    private var responses: [Response] = []
    private(set) var closing: NoticeResponse.CloseReason?
    /// A round trip is in progress, and events are reported when it ends.
    private var isSettling = false

    init(
        _ options: NoticeContent.Desktop,
        identifiers: [String: String],
        hasActions: Bool,
        on server: KnownServer
    ) {
        self.identifiers = identifiers
        self.hasActions = hasActions
        isResident = options.isResident
        // Reason 1 also means that the notice expired.
        let isClear = options.expiry == .never || server.closedByHand != 1
        closedByHand = isClear ? server.closedByHand : nil
    }

    enum Step {
        /// Nothing new.
        case ignore
        /// Report after a round trip to the server.
        case settle
        /// Report immediately: nothing can follow.
        case report
    }

    /// Takes a signal. While the notice is settling, its new events are reported together with the earlier ones.
    mutating func take(_ member: String, _ value: BusValue) -> Step {
        let step = step(after: member, value)
        guard !isSettling else { return .ignore }
        isSettling = step == .settle
        return step
    }

    private mutating func step(after member: String, _ value: BusValue) -> Step {
        switch (member, value) {
        case ("NotificationClosed", .uint32(let number)):
            guard closing == nil else { return .ignore }
            closing = reason(number)
            // An expired notice got no response.
            return hasActions && closing?.kind != .expired ? .settle : .report
        case ("ActivationToken", .string(let token)):
            if let last = responses.indices.last, responses[last].token == nil {
                responses[last].token = token
            } else {
                self.token = token
            }
            return .ignore
        case ("ActionInvoked", .string(let key)): return take(key: key)
        case ("NotificationReplied", .string(let text)): return take(text: text)
        default: return .ignore
        }
    }

    private mutating func take(key: String) -> Step {
        let isField = key == NotifyMessage.Writer.replyKey && identifiers[key] != nil
        // The press of the field's own button, which sent the text.
        if isField, responses.last.map({ $0.isFromField && $0.text != nil }) ?? false { return .ignore }
        guard mayRespond else { return .ignore }
        append(Response(action: identifiers[key] ?? key, token: token, isFromField: isField))
        return .settle
    }

    private mutating func take(text: String) -> Step {
        if let last = responses.indices.last, responses[last].isFromField, responses[last].text == nil {
            responses[last].text = text
            return .ignore
        }
        guard mayRespond else { return .ignore }
        let action = identifiers[NotifyMessage.Writer.replyKey] ?? NotifyMessage.Writer.replyKey
        append(Response(action: action, text: text, token: token, isFromField: true))
        return .settle
    }

    private mutating func append(_ response: Response) {
        responses.append(response)
        token = nil
    }

    private var mayRespond: Bool { isResident || (!hasResponse && responses.isEmpty) }

    private func reason(_ number: UInt32) -> NoticeResponse.CloseReason {
        number == closedByHand
            ? NoticeResponse.CloseReason(.dismissed, rawValue: number) : NoticeResponse.CloseReason(rawValue: number)
    }

    /// Returns the events to report, responses before the closing.
    mutating func settle(as reference: DeliveryReceipt.Reference) -> [BackendEvent] {
        var events = responses.map { response in
            BackendEvent.responded(
                reference,
                action: response.action,
                text: response.text,
                activationToken: response.token
            )
        }
        if !responses.isEmpty { hasResponse = true }
        responses = []
        isSettling = false
        if let closing { events.append(.closed(reference, closing)) }
        return events
    }
}
