/// Why a notice left the screen: the ``HistoryEntry/detail`` of ``HistoryEntry/Outcome/closed``.
package enum ClosingDetail: Sendable, Hashable, CustomStringConvertible {
    /// The server reported that it closed the notice.
    case closed(NoticeResponse.CloseReason)
    /// The server went away, and all its notices with it.
    case serverGone
    /// Another instance of the server is running. It knows none of the notices of the previous one.
    case serverRestarted

    package var description: String {
        switch self {
        case .closed(let reason): "\(reason.kind.rawValue) (\(reason.rawValue))"
        case .serverGone: "the notification server went away"
        case .serverRestarted: "the notification server was started anew"
        }
    }

    /// Parses the text of ``description``; nil for any other text.
    package init?(_ text: String) {
        let ways = [Self.serverGone, .serverRestarted]
        if let way = ways.first(where: { $0.description == text }) {
            self = way
            return
        }
        let parts = text.split(separator: " ")
        guard parts.count == 2, let kind = NoticeResponse.CloseReason.Kind(rawValue: String(parts[0])),
            let number = UInt32(parts[1].dropFirst().dropLast())
        else { return nil }
        self = .closed(NoticeResponse.CloseReason(kind, rawValue: number))
    }
}
