public import FoundationEssentials

extension NoticeCenter {
    /// The result of `add`.
    public struct AddReport: Sendable, Codable, Hashable {
        /// The identifiers that are pending now (or were delivered at once), in order.
        public var added: [String]
        /// The identifiers that were dropped under a pending limit, which may be among those being added.
        public var dropped: [String]
        /// Warnings about ignored parts of triggers, and advice.
        public var warnings: [String]
        /// The errors of the requests that were not added, each with its ``NoticeError/requestID``. Empty unless the
        /// call allowed the others to be added.
        public var refused: [NoticeError]
        /// When the first of the added requests fires next; nil if none waits for a time.
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
    /// Returns the results of `accept`, and the errors of the requests that it refuses, each with its request's
    /// identifier. If `allOrNothing` is true, throws the first error.
    package func accepted<Value>(
        allOrNothing: Bool,
        by accept: (NoticeRequest) throws(NoticeError) -> Value
    ) throws(NoticeError) -> (values: [Value], refused: [NoticeError]) {
        var values: [Value] = []
        var refused: [NoticeError] = []
        values.reserveCapacity(count)
        // By index, because iterating would retain and release the ten references of each request.
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

/// Everything under one identifier that will still be shown: a request, its deliveries that are deferred or in flight,
/// and a snoozed notice.
///
/// ```swift
/// for notice in try await center.pending() {
///     print(notice.request.content.title, notice.state.kind, notice.next?.formatted(.iso8601) ?? "no date")
/// }
/// ```
public struct PendingNotice: Sendable, Codable, Hashable, Identifiable {
    public var id: String { request.id }
    /// The request; for a series, one element.
    public var request: NoticeRequest
    /// When its next notice is shown; nil if none waits for a time, or if all of them are in flight.
    public var next: Date?
    /// How often the request has fired.
    public var fired: Int
    /// Until when a notice of the request is snoozed; ``next`` is the earlier of this date and the next firing.
    public var snoozedUntil: Date?
    /// How often that notice was snoozed.
    public var snoozeCount: Int { snoozes ?? 0 }
    // Optional, because the agent of an earlier version lacks it.
    private var snoozes: Int?
    /// When the request itself fires next, regardless of snoozed and deferred notices; nil if only such notices remain.
    public var nextFiring: Date?
    // Nil if `next` and `snoozedUntil` imply the states, and from the agent of an earlier version.
    private var told: [NoticeStatus]?
    /// True if the store is damaged and the content can't be read. Then only ``id``, ``next`` and ``fired`` are known.
    public var isUnreadable: Bool { unreadable ?? false }
    // Optional, because most requests and earlier versions lack it.
    private var unreadable: Bool?

    /// Creates a notice for a request whose content the store has lost.
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

    /// The states of its notices, sorted by what happens first; never empty.
    public var states: [NoticeStatus] {
        if let told, !told.isEmpty { return told }
        guard let snoozedUntil else { return [.pending(next: next)] }
        let own = nextFiring.map { [NoticeStatus.pending(next: $0)] } ?? []
        return (own + [.snoozed(until: snoozedUntil)]).sorted { $0.comes(before: $1) }
    }

    /// The state of the notice that comes first.
    public var state: NoticeStatus { states[0] }
}

/// What a center does.
///
/// ```swift
/// for await event in await center.events() {
///     switch event {
///     case .delivered(let notice): print("Shown: \(notice.content.title)")
///     case .error(let error): print(error)
///     case .history, .undisplayed: break
///     }
/// }
/// ```
public enum CenterEvent: Sendable, Codable, Hashable {
    /// An entry was added to the history.
    case history(HistoryEntry)
    /// A notice appeared on the screen.
    case delivered(DeliveredNotice)
    /// A notice that is never displayed is due (``NoticeContent/isDisplayed``), and there is no delegate. It is kept
    /// until a task listens to events. What that task has not read when it ends is lost; a delegate loses none.
    case undisplayed(Delivery)
    /// An error that no call throws: it concerns no single request, or one that was posted (``NoticeError/requestID``).
    case error(NoticeError)
}
