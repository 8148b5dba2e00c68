public import FoundationEssentials

/// The state of a notice, from the moment its request is added until it is on the screen.
///
/// The same in ``PendingNotice``, ``NoticeCenter/RemovalReport``, ``HistoryEntry`` and on the command line.
public enum NoticeStatus: Sendable, Codable, Hashable {
    /// Waits for its trigger; `next` is nil where it waits for no time: for a region, or for a program that knows the
    /// trigger.
    case pending(next: Date?)
    /// Given to the backend, and no receipt yet. After a failed attempt it has the reason, and the date of the next
    /// attempt.
    case inFlight(nextAttempt: Date? = nil, reason: String? = nil)
    /// Due, and held back.
    case deferred(until: Date, reason: Deferral)
    /// Put off by the user.
    case snoozed(until: Date)
    /// On the screen.
    case delivered(since: Date)

    /// The name of a state, as `--json` has it.
    public enum Kind: String, Sendable, Codable, Hashable, CaseIterable {
        /// Waits for its trigger.
        case pending
        /// Given to the backend, no receipt yet.
        case inFlight
        /// Held back until later.
        case deferred
        /// Put off by the user.
        case snoozed
        /// On the screen.
        case delivered
    }

    /// Why a notice is held back.
    public enum Deferral: String, Sendable, Codable, Hashable, CaseIterable {
        /// It comes when they end: ``QuietHours/Behavior-swift.enum/wait``.
        case quietHours
        /// The wall clock is far ahead of where it was left. It comes when the kernel says that the clock is
        /// synchronized, two minutes later at most.
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

    /// When something happens to it next; nil where no time is known, while the backend works on it, and on the screen.
    public var next: Date? {
        switch self {
        case .pending(let next), .inFlight(let next, _): next
        case .deferred(let until, _), .snoozed(let until): until
        case .delivered: nil
        }
    }

    /// Why it is not on the screen, as a phrase for people; nil where the state says it all.
    public var reason: String? {
        switch self {
        case .inFlight(_, let reason): reason
        case .deferred(_, .quietHours): "quiet hours"
        case .deferred(_, .clockInDoubt): "the clock is in doubt"
        case .pending, .snoozed, .delivered: nil
        }
    }

    /// Whether it comes before another one: what the backend works on first, then by date, then what waits for no time.
    func comes(before other: Self) -> Bool { order < other.order }

    private var order: Date {
        if case .inFlight(nil, _) = self { return .distantPast }
        return next ?? .distantFuture
    }
}
