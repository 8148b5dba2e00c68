import Belfry
import Synchronization

/// How the waiting for a notice ended.
struct SendEnding: Sendable, Hashable {
    /// `ended` of `send --json`.
    enum Kind: String, Sendable {
        case action, reply, clicked, closed
        /// The desktop took it down, or the time after `-t` is over.
        case expired
        case serverGone, interrupted
    }

    let kind: Kind
    /// What the user did, where it was more than closing.
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

    /// Without a response; `detail` is that of the history's entry.
    init(detail: String?) {
        switch detail.flatMap(ClosingDetail.init) {
        case .closed(let reason) where reason.kind == .expired: kind = .expired
        case .serverGone, .serverRestarted: kind = .serverGone
        case .closed, nil: kind = .closed
        }
    }

    /// What the user typed.
    var text: String? {
        guard case .reply(_, let text)? = response?.kind else { return nil }
        return text
    }
}

/// The designated handler of a command's responses: keeps the last one that ended something.
final class LastResponse: NoticeCenterDelegate {
    private let last = Mutex<NoticeResponse?>(nil)

    var response: NoticeResponse? { last.withLock { $0 } }

    func handle(_ response: NoticeResponse) async {
        guard response.snoozedUntil == nil else { return }
        last.withLock { $0 = response }
    }
}
