import Belfry
import BelfryBus
import BelfryServers

/// What is known of one notice that the server shows for us: what its signals say until they are told.
///
/// Signals come in any order: the text of a reply before or after the press of its button, the closing before the
/// answer, the token after it. So none is told at once; what came until the server has answered a question is told
/// together.
struct ShownNotice {
    struct Answer {
        var action: String
        var text: String?
        var token: String?
        var isFromField: Bool
    }

    /// What a key on the bus stands for, where that isn't the action itself.
    let identifiers: [String: String]
    let isResident: Bool
    /// Answers can come: it has actions, the click on it among them.
    let hasActions: Bool
    /// What its server says when it was closed by hand, where that isn't 2.
    let closedByHand: UInt32?

    private var isAnswered = false
    private var token: String?
    private var answers: [Answer] = []
    private(set) var closing: NoticeResponse.CloseReason?
    /// The server has been asked, and what comes until it answers is told then.
    var isSettling = false

    init(
        _ options: NoticeContent.Desktop,
        identifiers: [String: String],
        hasActions: Bool,
        on server: KnownServer
    ) {
        self.identifiers = identifiers
        self.hasActions = hasActions
        isResident = options.isResident
        // 1 is also said of what has run out of time.
        let isClear = options.expiry == .never || server.closedByHand != 1
        closedByHand = isClear ? server.closedByHand : nil
    }

    enum Step {
        /// Nothing new.
        case ignore
        /// To be told when the server has answered a question.
        case settle
        /// To be told at once: nothing can come after it.
        case tell
    }

    mutating func take(_ member: String, _ value: BusValue) -> Step {
        switch (member, value) {
        case ("NotificationClosed", .uint32(let number)):
            guard closing == nil else { return .ignore }
            closing = reason(number)
            // Nobody has answered what ran out of time.
            return hasActions && closing?.kind != .expired ? .settle : .tell
        case ("ActivationToken", .string(let token)):
            if let last = answers.indices.last, answers[last].token == nil {
                answers[last].token = token
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
        // The field's own button, pressed to send the text.
        if isField, answers.last.map({ $0.isFromField && $0.text != nil }) ?? false { return .ignore }
        guard mayAnswer else { return .ignore }
        append(Answer(action: identifiers[key] ?? key, token: token, isFromField: isField))
        return .settle
    }

    private mutating func take(text: String) -> Step {
        if let last = answers.indices.last, answers[last].isFromField, answers[last].text == nil {
            answers[last].text = text
            return .ignore
        }
        guard mayAnswer else { return .ignore }
        let action = identifiers[NotifyMessage.Writer.replyKey] ?? NotifyMessage.Writer.replyKey
        append(Answer(action: action, text: text, token: token, isFromField: true))
        return .settle
    }

    private mutating func append(_ answer: Answer) {
        answers.append(answer)
        token = nil
    }

    private var mayAnswer: Bool { isResident || (!isAnswered && answers.isEmpty) }

    private func reason(_ number: UInt32) -> NoticeResponse.CloseReason {
        number == closedByHand
            ? NoticeResponse.CloseReason(.dismissed, rawValue: number) : NoticeResponse.CloseReason(rawValue: number)
    }

    /// What is to be told, the answers before the closing.
    mutating func settle(as reference: DeliveryReceipt.Reference) -> [BackendEvent] {
        var events = answers.map { answer in
            BackendEvent.answered(reference, action: answer.action, text: answer.text, activationToken: answer.token)
        }
        if !answers.isEmpty { isAnswered = true }
        answers = []
        isSettling = false
        if let closing { events.append(.closed(reference, closing)) }
        return events
    }
}
