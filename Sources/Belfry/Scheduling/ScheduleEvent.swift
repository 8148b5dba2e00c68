import BelfryRecurrence

/// Everything that can happen to a schedule.
enum ScheduleEvent: Sendable {
    /// What the store held, and whether the kernel vouches for the wall clock. Comes first, once.
    case restored(StoredState, bootID: String, isSynchronised: Bool = true)
    /// The center runs from now on: what is due may be delivered.
    case started
    case stopped
    /// Requests that stand or fall together.
    case added([NoticeRequest], Ticket)
    /// The requests of one series; cut to the room that a pending limit leaves.
    case addedSeries([NoticeRequest], Ticket)
    /// An owner's requests are to be these; a trial only tells what would change.
    indirect case synchronized(OwnedRequests, isTrial: Bool, Ticket)
    /// To be shown now, in one attempt; the ticket is answered with the outcome.
    case shown(NoticeRequest, Ticket)
    case removed([String], Ticket)
    case removedAll(Ticket)
    case endedSeries(String, Ticket)
    /// What is pending of a series is removed.
    case removedSeries(String, Ticket)
    /// The app puts off the notice that was answered.
    indirect case snoozed(NoticeResponse, SnoozeChoice, Ticket)
    indirect case quietHoursSet(QuietHours?, Ticket)
    /// To be taken off the screen; nil is everything.
    case removedDelivered([String]?, Ticket)
    case woke
    case clockSet
    /// The kernel vouches for the wall clock from now on.
    case clockSynchronised
    case zoneChanged(ZoneRules)
    case positionFix(PositionFix)
    /// So many fixes came faster than they could be taken in.
    case positionsDropped(Int)
    /// The location provider gave up.
    case positionLost(NoticeError)
    /// The nearest places of a source are to be kept pending.
    indirect case feedKept(RegionFeed, Ticket)
    case feedEnded(String, Ticket)
    indirect case feedAnswered(FeedQuestion, FeedAnswer)
    /// The source of a feed gave nothing.
    indirect case feedFailed(FeedQuestion, NoticeError)
    case committed(CommitID)
    case commitFailed(CommitID, NoticeError)
    case delivered(DeliveryReference, DeliveryReceipt, reportsDismissal: Bool)
    case deliveryFailed(DeliveryReference, NoticeError)
    case suppressed(DeliveryReference, reason: String)
    /// What is not to be displayed was given to the app.
    indirect case handedOver(DeliveryReference, NoticeResponse)
    case answered(NoticeResponse)
    case closed(ReceiptKey, CloseReason, response: NoticeResponse?)
    case serverGone(backend: String, server: String?)
    case serverCame(backend: String, server: String?)
    /// The app's handler has taken a response.
    case acknowledged(responseID: String)
    /// A setting that only has to be stored.
    case settings([StoreChange], Ticket)
}

/// Which delivery of which request.
struct DeliveryReference: Sendable, Hashable {
    let requestID: String
    let deliveryID: String
}

typealias CommitID = UInt64

/// Everything that a schedule can want done, to be performed in order.
///
/// The large ones are kept behind a pointer: a million orders may come at once.
enum ScheduleEffect: Sendable {
    /// To be stored; the outcome comes back as ``ScheduleEvent/committed(_:)`` or ``ScheduleEvent/commitFailed(_:_:)``.
    /// Nothing else happens to the schedule in between.
    case commit(CommitID, [StoreChange])
    case deliver(DeliveryOrder)
    case withdraw(DeliveryReceipt)
    /// For the app's handler and all listeners.
    indirect case publish(NoticeResponse)
    case record(LedgerEntry)
    indirect case report(NoticeError)
    /// The outcome comes back as ``ScheduleEvent/feedAnswered(_:_:)`` or ``ScheduleEvent/feedFailed(_:_:)``.
    indirect case ask(FeedQuestion, RegionFeed)
    case answer(Ticket, Result<TicketAnswer, NoticeError>)
}

/// What a caller gets.
enum TicketAnswer: Sendable {
    case done
    case added(AddReport)
    indirect case removed(RemovalReport)
    indirect case synchronized(SynchronizationReport)
    indirect case shown(DeliveryReference, DeliveryReceipt, shownAt: TriggerInstant)
}

/// A delivery to be made; the content is in the store under its revision.
struct DeliveryOrder: Sendable {
    let record: DeliveryRecord
    var isPossiblyRepeated: Bool
    /// Without a sound, and of low urgency: it comes in quiet hours.
    var isQuiet = false

    var reference: DeliveryReference { DeliveryReference(requestID: record.requestID, deliveryID: record.id) }
    var revision: Int64 { record.revision }
    var dueAt: TriggerInstant { record.dueAt }
    var series: String? { record.traits.series }
}
