import Belfry
import FoundationEssentials

extension NoticeStatus {
    /// Returns the state in words, such as `in flight: the bus has no notification server`.
    func words(snoozes: Int = 1) -> String {
        let name =
            switch self {
            case .pending: "pending"
            case .inFlight: "in flight"
            case .deferred: "deferred"
            case .snoozed: snoozes > 1 ? "snoozed \(snoozes) times" : "snoozed"
            case .delivered: "delivered"
            }
        return reason.map { "\(name): \($0)" } ?? name
    }

    /// The date until which the notice is deferred or snoozed; nil for other states.
    var until: Date? {
        switch self {
        case .deferred(let until, _), .snoozed(let until): until
        case .pending, .inFlight, .delivered: nil
        }
    }
}

extension [NoticeStatus] {
    /// The states for the JSON output; nil for a single state, which has fields of its own.
    var listed: JSONValue? {
        guard count > 1 else { return nil }
        return .array(
            map { state in
                var fields: [String: JSONValue] = ["state": .string(state.kind.rawValue)]
                fields["next"] = state.next?.rfc3339().json
                fields["reason"] = state.reason?.json
                return .object(fields)
            }
        )
    }
}
