import BelfryRecurrence

/// What happens outside of a schedule. Large cases are behind a pointer: events wait in queues, and are copied there.
enum ScheduleEvent: Sendable {
    /// What the store held, and whether the kernel vouches for the wall clock. Comes first, once.
    indirect case restored(StoredState, bootID: String, isSynchronized: Bool = true)
    /// The center runs from now on: what is due may be delivered.
    case started
    case stopped
    case woke
    case clockSet
    /// The kernel vouches for the wall clock from now on.
    case clockSynchronized
    indirect case zoneChanged(ZoneRules)
    case positionFix(LocationFix)
    /// So many fixes came faster than they could be taken in.
    case positionsDropped(Int)
    /// The location provider gave up.
    indirect case positionLost(NoticeError)
    indirect case feedAnswered(FeedQuestion, FeedResult)
    /// The source of a feed gave nothing.
    indirect case feedFailed(FeedQuestion, NoticeError)
    case delivered(DeliveryReference, DeliveryReceipt, reportsDismissal: Bool)
    indirect case deliveryFailed(DeliveryReference, NoticeError)
    case suppressed(DeliveryReference, reason: String)
    /// What is not to be displayed was given to the app.
    indirect case handedOver(DeliveryReference, NoticeResponse)
    indirect case answered(NoticeResponse)
    indirect case closed(ReceiptKey, NoticeResponse.CloseReason, response: NoticeResponse?)
    case serverGone(backend: String, server: String?)
    case serverCame(backend: String, server: String?)
    /// The app's handler has taken a response.
    case acknowledged(responseID: String)

    /// True where it can't be undone, only stored later.
    var isFact: Bool {
        switch self {
        case .started, .stopped, .woke, .clockSynchronized, .positionFix, .positionsDropped, .positionLost,
            .feedAnswered, .feedFailed:
            false
        case .restored, .clockSet, .zoneChanged, .delivered, .deliveryFailed, .suppressed, .handedOver, .answered,
            .closed, .serverGone, .serverCame, .acknowledged:
            true
        }
    }
}

/// Which delivery of which request.
struct DeliveryReference: Sendable, Hashable {
    let requestID: String
    let deliveryID: String
}

extension DeliveryRecord {
    var reference: DeliveryReference { DeliveryReference(requestID: requestID, deliveryID: id) }
}

/// Everything that a schedule can want done, to be performed in order.
///
/// The large ones are kept behind a pointer: a million orders may come at once.
enum ScheduleEffect: Sendable {
    case deliver(DeliveryOrder)
    case withdraw(DeliveryReceipt)
    /// For the app's handler and all listeners.
    indirect case publish(NoticeResponse)
    case record(HistoryEntry)
    indirect case report(NoticeError)
    /// A delivery has an outcome that the caller of ``Schedule/show(_:at:)`` waits for.
    indirect case conclude(DeliveryReference, Result<NoticeState.Delivered, NoticeError>)
    /// The backend is done with a delivery that was cancelled while it had it: removals wait for that.
    indirect case release(DeliveryReference)
}

/// A delivery to be made; the content is in the store under its revision.
struct DeliveryOrder: Sendable {
    let record: DeliveryRecord
    var isPossiblyRepeated: Bool
    /// Without a sound, and of low urgency: it comes in quiet hours.
    var isQuiet = false

    var reference: DeliveryReference { record.reference }
    var revision: Int64 { record.revision }
    var dueAt: TriggerInstant { record.dueAt }
    var series: String? { record.traits.series }
}
