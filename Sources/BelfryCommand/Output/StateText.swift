import Belfry
import BelfryRecurrence
import Foundation

/// The states of a notice, for eyes and for programs.
enum StateText {
    /// ` (deferred: quiet hours) (snoozed 2 times)`; nothing for what waits for its trigger alone.
    static func words(of notice: PendingNotice, in zone: ZoneRules) -> String {
        notice.states.map { " (\(words($0, snoozes: notice.snoozeCount)))" }.filter { $0 != " (pending)" }.joined()
    }

    /// `in flight: the bus has no notification server`
    static func words(_ state: NoticeStatus, snoozes: Int = 1) -> String {
        let name =
            switch state {
            case .pending: "pending"
            case .inFlight: "in flight"
            case .deferred: "deferred"
            case .snoozed: snoozes > 1 ? "snoozed \(snoozes) times" : "snoozed"
            case .delivered: "delivered"
            }
        return state.reason.map { "\(name): \($0)" } ?? name
    }

    /// When the waiting ends of what is held back or put off; nil for other states.
    static func until(_ state: NoticeStatus) -> Date? {
        switch state {
        case .deferred(let until, _), .snoozed(let until): until
        case .pending, .inFlight, .delivered: nil
        }
    }

    static func array(_ states: [NoticeStatus], in zone: ZoneRules) -> JSONValue {
        .array(
            states.map { state in
                var fields: [String: JSONValue] = ["state": .string(state.kind.rawValue)]
                fields["next"] = state.next.map { .string(RFC3339.text($0, in: zone)) }
                fields["reason"] = state.reason.map { .string($0) }
                return .object(fields)
            }
        )
    }
}
