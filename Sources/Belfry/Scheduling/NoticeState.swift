/// The schedule's state of an identifier's notices: the delivered, the in-flight and the snoozed one.
///
/// It is small, because each firing reads and writes it twice: a record is one pointer, and only the record has the
/// receipt.
struct NoticeState: Identifiable, Sendable {
    /// A notice on the screen.
    struct Delivered: Sendable {
        var record: DeliveryRecord
        var hasResponse = false

        /// Returns nil if the record's notice has not been shown yet.
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

        // The initializers ensure that both are set.
        var shownAt: TriggerInstant { record.shownAt! }
        var receipt: DeliveryReceipt { record.receipt! }
        var deliveryID: String { record.id }
        var revision: Int64 { record.revision }
        var traits: DeliveryTraits { record.traits }
    }

    /// A due time that is to be shown. It is stored as a delivery as soon as it is due.
    struct Occurrence: Sendable {
        var record: DeliveryRecord
        /// A caller waits for the outcome; such a delivery is attempted once.
        var isAwaited = false
    }

    /// An occurrence that is in flight, or waits for an attempt.
    struct UnderWay: Sendable {
        enum Phase: Sendable {
            /// The backend is processing it.
            case inFlight
            /// It waits for its next attempt, on the boot clock.
            case retry(at: Int64)
            /// It waits for the end of quiet hours, on the wall clock.
            case deferred(until: Int64)
            /// It was canceled and removed from the store, but the backend is still processing it.
            case cancelled
        }

        var occurrence: Occurrence
        var phase = Phase.inFlight
        var attempt = 1
        var isPossiblyRepeated = false
        /// Why the last attempt failed.
        var failure: String?
        /// The latest due time that came while this one was in flight.
        var queued: Occurrence?

        var record: DeliveryRecord { occurrence.record }
        var isCancelled: Bool { if case .cancelled = phase { true } else { false } }
        var isInFlight: Bool { if case .inFlight = phase { true } else { false } }
        var retryAt: Int64? { if case .retry(let boot) = phase { boot } else { nil } }
        var deferredUntil: Int64? { if case .deferred(let wall) = phase { wall } else { nil } }
        /// Whether it is not in flight.
        var isWaiting: Bool { !isInFlight && !isCancelled }
        /// The occurrence that will still be shown; nil if all were canceled.
        var wanted: Occurrence? { isCancelled ? queued : occurrence }
    }

    /// The request's identifier.
    let id: String
    var delivered: Delivered?
    var underWay: UnderWay?
    /// The snoozed notice. It is pending, and stored with its ``DeliveryRecord/wait``.
    var snoozed: DeliveryRecord?

    init(id: String) { self.id = id }

    var isEmpty: Bool { delivered == nil && underWay == nil && snoozed == nil }

    /// Whether a delivery is on its way, also where it was canceled.
    func isUnderWay(_ deliveryID: String) -> Bool { underWay?.occurrence.record.id == deliveryID }

    /// Returns whether one of the notices needs a content.
    func needs(revision: Int64) -> Bool {
        delivered?.record.revision == revision || snoozed?.revision == revision
            || underWay?.occurrence.record.revision == revision && underWay?.isCancelled == false
            || underWay?.queued?.record.revision == revision
    }

    /// Calls `body` with each content that is still needed, and with the identifier of its request.
    func forEachContent(_ body: (DeliveryRecord) -> Void) {
        if let delivered { body(delivered.record) }
        if let snoozed { body(snoozed) }
        if let record = underWay?.occurrence.record, underWay?.isCancelled == false { body(record) }
        if let queued = underWay?.queued { body(queued.record) }
    }

    /// Whether one of the notices is a summary.
    var isSummary: Bool {
        delivered?.record.summary != nil || underWay?.record.summary != nil || underWay?.queued?.record.summary != nil
            || snoozed?.summary != nil
    }

    /// The traits of the notice in flight or waiting, else of the delivered or the snoozed one.
    var traits: DeliveryTraits? { (underWay?.record ?? delivered?.record ?? snoozed)?.traits }

    /// The series of its notices: more than one only if the identifier was reused.
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

extension DeliveredNotice {
    init(_ delivered: NoticeState.Delivered, _ content: Shared<NoticeContent>) {
        let record = delivered.record
        self.init(
            id: record.id,
            requestID: record.requestID,
            shared: content,
            dueDate: record.dueAt.date,
            date: delivered.shownAt.date,
            late: record.late(at: delivered.shownAt),
            series: record.traits.series,
            receipt: delivered.receipt,
            snoozes: record.snoozes == 0 ? nil : record.snoozes
        )
    }
}
