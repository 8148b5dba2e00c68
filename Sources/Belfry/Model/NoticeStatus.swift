public import FoundationEssentials

/// The state of a notice, from the moment its request is added until it is on the screen.
///
/// Used in ``PendingNotice``, ``NoticeCenter/RemovalReport``, ``HistoryEntry`` and on the command line.
///
/// ```swift
/// for notice in try await center.pending() {
///     if case .snoozed(let date) = notice.state { print(notice.id, "is snoozed until", date.formatted(.iso8601)) }
/// }
/// ```
public enum NoticeStatus: Sendable, Codable, Hashable {
    /// Waits for its trigger. `next` is nil if it waits for no time, but for a region or a program that knows the
    /// trigger.
    case pending(next: Date?)
    /// Given to the backend, without a receipt yet. After a failed attempt it has the reason and the date of the next
    /// attempt.
    case inFlight(nextAttempt: Date? = nil, reason: String? = nil)
    /// Due, and deferred.
    case deferred(until: Date, reason: Deferral)
    /// Snoozed by the user.
    case snoozed(until: Date)
    /// On the screen.
    case delivered(since: Date)

    /// The name of a state, as in `--json` output.
    public enum Kind: String, Sendable, Codable, Hashable, CaseIterable {
        /// Waits for its trigger.
        case pending
        /// Given to the backend, without a receipt yet.
        case inFlight
        /// Due, and delayed until later.
        case deferred
        /// Snoozed by the user.
        case snoozed
        /// On the screen.
        case delivered
    }

    /// Why a notice is deferred.
    public enum Deferral: String, Sendable, Codable, Hashable, CaseIterable {
        /// It is shown when quiet hours end: ``QuietHours/Behavior-swift.enum/wait``.
        case quietHours
        /// The wall clock is far ahead of its last known time. The notice is shown when the kernel reports a
        /// synchronized clock, or two minutes later at most.
        case clockInDoubt
    }

    /// The state without its details.
    public var kind: Kind {
        switch self {
        case .pending: .pending
        case .inFlight: .inFlight
        case .deferred: .deferred
        case .snoozed: .snoozed
        case .delivered: .delivered
        }
    }

    /// The date of the next change; nil while the backend works on it, on the screen, and if no time is known.
    public var next: Date? {
        switch self {
        case .pending(let next), .inFlight(let next, _): next
        case .deferred(let until, _), .snoozed(let until): until
        case .delivered: nil
        }
    }

    /// Why it is not on the screen, as a phrase for users; nil if the state says enough.
    public var reason: String? {
        switch self {
        case .inFlight(_, let reason): reason
        case .deferred(_, .quietHours): "quiet hours"
        case .deferred(_, .clockInDoubt): "the clock is in doubt"
        case .pending, .snoozed, .delivered: nil
        }
    }

    /// Returns whether it sorts before another status: in flight first, then by date, then without a date.
    func comes(before other: Self) -> Bool { order < other.order }

    private var order: Date {
        if case .inFlight(nil, _) = self { return .distantPast }
        return next ?? .distantFuture
    }
}
