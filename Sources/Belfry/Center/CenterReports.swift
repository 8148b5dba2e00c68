import Foundation

/// What `add` did.
public struct AddReport: Sendable, Codable, Hashable {
    /// The identifiers that are pending now (or were delivered at once), in order.
    public var added: [String]
    /// What made room, or found none, under a pending limit.
    public var dropped: [String]
    /// What of the triggers was left out of account, and hints.
    public var warnings: [String]
    /// The first coming firing of what was added; nil where it waits for no time.
    public var next: Date?

    public init(added: [String], dropped: [String] = [], warnings: [String] = [], next: Date? = nil) {
        self.added = added
        self.dropped = dropped
        self.warnings = warnings
        self.next = next
    }
}

/// A pending request and when it fires next.
public struct PendingNotice: Sendable, Codable, Hashable, Identifiable {
    public var id: String { request.id }
    public var request: NoticeRequest
    /// Nil where it waits for no time.
    public var next: Date?
    /// How many firings there have been.
    public var fired: Int
    /// Until when the person has put off a notice of it; ``next`` is the nearer of this and its own firing.
    public var snoozedUntil: Date?
    /// How often that notice was put off.
    public var snoozeCount: Int { snoozes ?? 0 }
    // An earlier version's agent doesn't tell.
    private var snoozes: Int?
    /// When the request itself fires next, whatever was put off: nil where a notice that was put off is all there is of it.
    public var nextFiring: Date?
    /// True where the store is damaged and the content can't be read: only ``id``, ``next`` and ``fired`` are known then.
    public var isUnreadable: Bool { unreadable ?? false }
    // Absent from most, and from what an earlier version tells.
    private var unreadable: Bool?

    /// A request of which the store has lost the content.
    init(unreadable id: String, next: Date?, fired: Int) {
        self.init(request: NoticeRequest(id: id, title: ""), next: next, fired: fired)
        unreadable = true
    }

    public init(
        request: NoticeRequest,
        next: Date?,
        fired: Int,
        snoozedUntil: Date? = nil,
        snoozeCount: Int = 0,
        nextFiring: Date? = nil
    ) {
        self.request = request
        self.next = next
        self.fired = fired
        self.snoozedUntil = snoozedUntil
        self.nextFiring = nextFiring
        snoozes = snoozeCount == 0 ? nil : snoozeCount
    }
}

/// What a center does, as it happens.
public enum CenterEvent: Sendable, Codable, Hashable {
    /// A line went into the ledger.
    case ledger(LedgerEntry)
    /// A notice came to stand on the screen.
    case delivered(DeliveredNotice)
    /// Something that concerns no single request.
    case problem(NoticeError)
}
