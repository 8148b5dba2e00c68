/// What the schedule knows of an identifier's notices: the one on the screen, the one on its way there, and the one
/// that the user has snoozed.
///
/// Small, because each firing reads and writes it twice: a record is one pointer, and the receipt is in the record
/// alone.
struct NoticeState: Identifiable, Sendable {
    /// A notice on the screen.
    struct Delivered: Sendable {
        let record: DeliveryRecord
        var isAnswered = false

        /// Nil where the record is of one that was not shown yet.
        init?(_ record: DeliveryRecord) {
            guard record.shownAt != nil, record.receipt != nil else { return nil }
            self.record = record
        }

        init(
            _ record: DeliveryRecord,
            shownAt instant: TriggerInstant,
            _ receipt: DeliveryReceipt,
            reportsDismissal: Bool
        ) {
            self.record = record.shown(at: instant, receipt, reportsDismissal: reportsDismissal)
        }

        // The initializers see to it that there are both.
        var shownAt: TriggerInstant { record.shownAt! }
        var receipt: DeliveryReceipt { record.receipt! }
        var deliveryID: String { record.id }
        var revision: Int64 { record.revision }
        var traits: DeliveryTraits { record.traits }
    }

    /// A due time that is to be shown; in the store as a delivery from the moment it is due.
    struct Occurrence: Sendable {
        var record: DeliveryRecord
        /// A caller waits for the outcome; such a delivery is tried once.
        var isAwaited = false
    }

    /// A due time on its way to the screen.
    struct UnderWay: Sendable {
        enum Phase: Sendable {
            /// The backend has it.
            case inFlight
            /// It waits to be tried, on the boot clock.
            case retry(at: Int64)
            /// It waits for the end of quiet hours, on the wall clock.
            case deferred(until: Int64)
            /// It is not wanted any more, and the store has forgotten it; the backend still has it.
            case cancelled
        }

        var occurrence: Occurrence
        var phase = Phase.inFlight
        var attempt = 1
        var isPossiblyRepeated = false
        /// Why the last attempt failed.
        var failure: String?
        /// The latest due time that came while the backend had this one.
        var queued: Occurrence?

        var record: DeliveryRecord { occurrence.record }
        var isCancelled: Bool { if case .cancelled = phase { true } else { false } }
        var isInFlight: Bool { if case .inFlight = phase { true } else { false } }
        var retryAt: Int64? { if case .retry(let boot) = phase { boot } else { nil } }
        var deferredUntil: Int64? { if case .deferred(let wall) = phase { wall } else { nil } }
        /// Not in the backend's hands.
        var isWaiting: Bool { !isInFlight && !isCancelled }
        /// What will still be shown of it; nil where all was cancelled.
        var wanted: Occurrence? { isCancelled ? queued : occurrence }
    }

    /// The request's identifier.
    let id: String
    var delivered: Delivered?
    var underWay: UnderWay?
    /// Pending until then: in storage with its ``DeliveryRecord/wait``.
    var snoozed: DeliveryRecord?

    init(id: String) { self.id = id }

    var isEmpty: Bool { delivered == nil && underWay == nil && snoozed == nil }

    /// Whether one of the notices needs a content.
    func needs(revision: Int64) -> Bool {
        delivered?.revision == revision || snoozed?.revision == revision
            || underWay?.wanted?.record.revision == revision
            || underWay?.queued?.record.revision == revision
    }

    /// Calls `body` with each content that is still needed, and with the identifier of the request that it is of.
    func forEachContent(_ body: (String, Int64) -> Void) {
        func visit(_ record: DeliveryRecord) {
            body(record.summary?.members.last?.requestID ?? id, record.revision)
        }
        if let delivered { visit(delivered.record) }
        if let snoozed { visit(snoozed) }
        guard let underWay else { return }
        if !underWay.isCancelled { visit(underWay.record) }
        if let queued = underWay.queued { visit(queued.record) }
    }

    /// Whether one of the notices stands for others.
    var isSummary: Bool {
        delivered?.record.summary != nil || underWay?.record.summary != nil || underWay?.queued?.record.summary != nil
            || snoozed?.summary != nil
    }

    /// Of the notice that is at hand most likely.
    var traits: DeliveryTraits? { (underWay?.record ?? delivered?.record ?? snoozed)?.traits }

    /// The series that its notices belong to: more than one only where the identifier was used anew.
    var seriesBases: [String] {
        var bases: [String] = []
        func visit(_ record: DeliveryRecord?) { if let base = record?.traits.series { bases.append(base) } }
        visit(delivered?.record)
        visit(underWay?.record)
        visit(underWay?.queued?.record)
        visit(snoozed)
        return bases
    }
}
