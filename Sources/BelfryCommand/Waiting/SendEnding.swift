import Belfry

/// How the waiting for a notice ended: `ended` of `send --json`.
enum SendEnding: Sendable, Hashable {
    case action(NoticeResponse)
    case reply(NoticeResponse, text: String)
    case clicked(NoticeResponse)
    case closed
    /// The desktop took it down, or the time after `-t` is over.
    case expired
    case serverGone
    case interrupted

    init(_ response: NoticeResponse) {
        switch response.kind {
        case .action: self = .action(response)
        case .reply(_, let text): self = .reply(response, text: text)
        case .opened: self = .clicked(response)
        case .dismissed, .due: self = .closed
        }
    }

    /// Nobody answered; `detail` is that of the line in the history.
    init(detail: String?) {
        switch detail.flatMap(ClosingDetail.init) {
        case .closed(let reason) where reason.kind == .expired: self = .expired
        case .serverGone, .serverRestarted: self = .serverGone
        case .closed, nil: self = .closed
        }
    }

    var name: String {
        switch self {
        case .action: "action"
        case .reply: "reply"
        case .clicked: "clicked"
        case .closed: "closed"
        case .expired: "expired"
        case .serverGone: "serverGone"
        case .interrupted: "interrupted"
        }
    }

    var response: NoticeResponse? {
        switch self {
        case .action(let response), .reply(let response, _), .clicked(let response): response
        case .closed, .expired, .serverGone, .interrupted: nil
        }
    }
}
