public import FoundationEssentials

extension NoticeCenter {
    /// What `add` did.
    public struct AddReport: Sendable, Codable, Hashable {
        /// The identifiers that are pending now (or were delivered at once), in order.
        public var added: [String]
        /// What made room, or found none, under a pending limit.
        public var dropped: [String]
        /// What of the triggers was ignored, and hints.
        public var warnings: [String]
        /// Why requests were not added, each error with its ``NoticeError/requestID``; only where the call asked for
        /// the rest.
        public var refused: [NoticeError]
        /// The first coming firing of what was added; nil where it waits for no time.
        public var next: Date?

        /// Creates a report from its parts.
        public init(
            added: [String],
            dropped: [String] = [],
            warnings: [String] = [],
            refused: [NoticeError] = [],
            next: Date? = nil
        ) {
            self.added = added
            self.dropped = dropped
            self.warnings = warnings
            self.refused = refused
            self.next = next
        }
    }
}

extension [NoticeRequest] {
    /// What `accept` makes of each request, and the errors of those that it refuses, each of which names its request.
    /// Where all or nothing is wanted, the first error is thrown.
    package func accepted<Value>(
        allOrNothing: Bool,
        by accept: (NoticeRequest) throws(NoticeError) -> Value
    ) throws(NoticeError) -> (values: [Value], refused: [NoticeError]) {
        var values: [Value] = []
        var refused: [NoticeError] = []
        values.reserveCapacity(count)
        // By index: a request has ten references, which a loop over the elements would take and give back.
        for index in indices {
            do throws(NoticeError) { values.append(try accept(self[index])) } catch {
                let error = error.naming(self[index].id)
                if allOrNothing { throw error }
                refused.append(error)
            }
        }
        return (values, refused)
    }
}

/// Everything under one identifier that will still be shown: a request, a delivery of it that waits or is under way, a
/// notice that the user has put off.
public struct PendingNotice: Sendable, Codable, Hashable, Identifiable {
    public var id: String { request.id }
    /// The request; of a series, one element.
    public var request: NoticeRequest
    /// When the first of it is to be shown; nil where it waits for no time, and where the backend has all there is.
    public var next: Date?
    /// How many firings there have been.
    public var fired: Int
    /// Until when the user has put off a notice of it; ``next`` is the nearer of this and its own firing.
    public var snoozedUntil: Date?
    /// How often that notice was put off.
    public var snoozeCount: Int { snoozes ?? 0 }
    // An earlier version's agent doesn't tell.
    private var snoozes: Int?
    /// When the request itself fires next, whatever was put off or waits; nil where that is all there is of it.
    public var nextFiring: Date?
    // Nil where `next` and `snoozedUntil` say it; an earlier version's agent doesn't tell.
    private var told: [NoticeStatus]?
    /// True where the store is damaged and the content can't be read: only ``id``, ``next`` and ``fired`` are known
    /// then.
    public var isUnreadable: Bool { unreadable ?? false }
    // Absent from most, and from what an earlier version tells.
    private var unreadable: Bool?

    /// A request of which the store has lost the content.
    init(unreadable id: String, next: Date?, fired: Int) {
        self.init(request: NoticeRequest(id: id, title: ""), next: next, fired: fired)
        unreadable = true
    }

    /// Creates a pending notice from its parts.
    public init(
        request: NoticeRequest,
        next: Date?,
        fired: Int,
        snoozedUntil: Date? = nil,
        snoozeCount: Int = 0,
        nextFiring: Date? = nil,
        states: [NoticeStatus] = []
    ) {
        self.request = request
        self.next = next
        self.fired = fired
        self.snoozedUntil = snoozedUntil
        self.nextFiring = nextFiring
        snoozes = snoozeCount == 0 ? nil : snoozeCount
        told = states.isEmpty ? nil : states
    }

    /// The states of its notices, what comes first at the front; never empty.
    public var states: [NoticeStatus] {
        if let told { return told }
        guard let snoozedUntil else { return [.pending(next: next)] }
        let own = nextFiring.map { [NoticeStatus.pending(next: $0)] } ?? []
        return (own + [.snoozed(until: snoozedUntil)]).sorted { $0.comes(before: $1) }
    }

    /// The state of what comes first.
    public var state: NoticeStatus { states[0] }
}

/// What a center does, as it happens.
public enum CenterEvent: Sendable, Codable, Hashable {
    /// A line went into the history.
    case history(HistoryEntry)
    /// A notice came to stand on the screen.
    case delivered(DeliveredNotice)
    /// A notice that is never displayed is due (``NoticeContent/isDisplayed``), and no delegate receives it. It is kept
    /// until somebody listens to events.
    case undisplayed(Delivery)
    /// Something that concerns no single request.
    case error(NoticeError)
}
