import Belfry

/// The reason why the wait for a notice ended.
struct SendEnding: Sendable, Hashable {
    /// The value of `ended` in `send --json`.
    enum Kind: String, Sendable {
        case action, reply, clicked, closed
        /// The desktop closed it, or the time after `-t` has passed.
        case expired
        case serverGone, interrupted
    }

    let kind: Kind
    /// The user's response, if it was more than closing.
    var response: NoticeResponse?

    init(_ kind: Kind) { self.kind = kind }

    init(_ response: NoticeResponse) {
        switch response.kind {
        case .action: kind = .action
        case .reply: kind = .reply
        case .opened: kind = .clicked
        case .dismissed: kind = .closed
        }
        if kind != .closed { self.response = response }
    }

    /// Creates an end without a response; `detail` is that of the history entry.
    init(detail: String?) {
        switch detail.flatMap(ClosingDetail.init) {
        case .closed(let reason) where reason.kind == .expired: kind = .expired
        case .serverGone, .serverRestarted: kind = .serverGone
        case .closed, nil: kind = .closed
        }
    }

    /// The text that the user typed.
    var text: String? {
        guard case .reply(_, let text)? = response?.kind else { return nil }
        return text
    }
}
