import BelfryRecurrence

/// An event from outside the schedule. Large cases are indirect, because events are queued and copied.
enum ScheduleEvent: Sendable {
    /// The content of the store, and whether the wall clock is synchronized. The first event, sent once.
    indirect case restored(StoredState, bootID: String, isSynchronized: Bool = true)
    /// The center is running: due notices may be delivered.
    case started
    case stopped
    case woke
    case clockSet
    /// The kernel now reports the wall clock as synchronized.
    case clockSynchronized
    indirect case zoneChanged(ZoneRules)
    case positionFix(LocationFix)
    /// The number of fixes dropped because they came too fast.
    case positionsDropped(Int)
    /// The location provider failed.
    indirect case positionLost(NoticeError)
    indirect case feedReturned(FeedQuery, FeedResult)
    /// The source of a feed failed.
    indirect case feedFailed(FeedQuery, NoticeError)
    case delivered(DeliveryReference, DeliveryReceipt, reportsDismissal: Bool)
    indirect case deliveryFailed(DeliveryReference, NoticeError)
    case suppressed(DeliveryReference, reason: String)
    /// A notice that is not to be displayed was given to the app.
    indirect case givenToApp(DeliveryReference, NoticeResponse)
    indirect case responded(NoticeResponse)
    indirect case closed(ReceiptKey, NoticeResponse.CloseReason, response: NoticeResponse?)
    case serverGone(backend: String, server: String?)
    case serverCame(backend: String, server: String?)
    /// The app's handler has handled a response.
    case acknowledged(responseID: String)

    /// Whether the event can't be undone, only stored later.
    var isFact: Bool {
        switch self {
        case .started, .stopped, .woke, .clockSynchronized, .positionFix, .positionsDropped, .positionLost,
            .feedReturned, .feedFailed:
            false
        case .restored, .clockSet, .zoneChanged, .delivered, .deliveryFailed, .suppressed, .givenToApp, .responded,
            .closed, .serverGone, .serverCame, .acknowledged:
            true
        }
    }
}

/// A reference to a delivery of a request.
struct DeliveryReference: Sendable, Hashable {
    let requestID: String
    let deliveryID: String
}

extension DeliveryRecord {
    var reference: DeliveryReference { DeliveryReference(requestID: self.requestID, deliveryID: id) }
}

/// An effect of a decision; effects are performed in order.
///
/// Large cases are indirect: a million orders may come at once.
enum ScheduleEffect: Sendable {
    case deliver(DeliveryOrder)
    case withdraw(DeliveryReceipt)
    /// A response for the app's handler and all listeners.
    indirect case publish(NoticeResponse)
    case record(HistoryEntry)
    indirect case report(NoticeError)
    /// The outcome of a delivery that a caller of ``Schedule/show(_:at:)`` waits for.
    indirect case conclude(DeliveryReference, Result<NoticeState.Delivered, NoticeError>)
    /// The backend is done with a delivery that was canceled in flight; removals wait for that.
    indirect case release(DeliveryReference)
}

/// A delivery to make. Its content is in the store under its revision.
struct DeliveryOrder: Sendable {
    let record: DeliveryRecord
    var isPossiblyRepeated: Bool
    /// Delivered without sound and with low urgency, because of quiet hours.
    var isQuiet = false

    var reference: DeliveryReference { record.reference }
    var revision: Int64 { record.revision }
    var dueAt: TriggerInstant { record.dueAt }
    var series: String? { record.traits.series }
}

extension NoticeResponse {
    /// Creates what the app gets in place of a due notice that is not to be displayed.
    init(undisplayed content: NoticeContent, _ order: DeliveryOrder, at now: TriggerInstant) {
        self.init(
            id: "\(order.reference.deliveryID)/due",
            requestID: order.reference.requestID,
            deliveryID: order.reference.deliveryID,
            kind: .opened,
            date: order.dueAt.date,
            series: order.series,
            snoozeCount: order.record.snoozes
        )
        undisplayed = content
        firing = Firing(
            late: order.record.late(at: now),
            isPossiblyRepeated: order.isPossiblyRepeated,
            crossing: order.record.crossing
        )
    }
}
