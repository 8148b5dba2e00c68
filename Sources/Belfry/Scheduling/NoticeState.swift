/// What the schedule knows of an identifier's notices: the one on the screen, the one on its way there, and the one that the
/// person has put off.
struct NoticeState: SlotValue {
    /// A notice that stands on the screen.
    struct Standing: Sendable {
        let record: DeliveryRecord
        let shownAt: TriggerInstant
        let receipt: DeliveryReceipt
        var isAnswered = false

        /// Nil where the record is of one that was not shown yet.
        init?(_ record: DeliveryRecord) {
            guard let shownAt = record.shownAt, let receipt = record.receipt else { return nil }
            self.record = record
            self.shownAt = shownAt
            self.receipt = receipt
        }

        init(
            _ record: DeliveryRecord,
            shownAt instant: TriggerInstant,
            _ receipt: DeliveryReceipt,
            reportsDismissal: Bool
        ) {
            self.record = record.shown(at: instant, receipt, reportsDismissal: reportsDismissal)
            shownAt = instant
            self.receipt = receipt
        }

        var deliveryID: String { record.id }
        var revision: Int64 { record.revision }
        var dueAt: TriggerInstant { record.dueAt }
        var traits: DeliveryTraits { record.traits }
    }

    /// A due time that is to be shown; in the store as a delivery from the moment it is due.
    struct Occurrence: Sendable {
        var record: DeliveryRecord
        /// A caller waits for the outcome; such a delivery is tried once.
        var isAwaited = false

        var deliveryID: String { record.id }
        var revision: Int64 { record.revision }
        var dueAt: TriggerInstant { record.dueAt }
        var traits: DeliveryTraits { record.traits }
        var lateFrom: TriggerInstant { record.lateFrom }
    }

    /// A delivery under way, waiting to be tried again, or waiting for the end of quiet hours.
    struct Coming: Sendable {
        var occurrence: Occurrence
        var attempt = 1
        /// Nil while the backend works; else when to try again, on the boot clock.
        var retryAt: Int64?
        /// When quiet hours end that it waits for, on the wall clock.
        var heldUntil: Int64?
        var isPossiblyRepeated = false
        /// Why the last attempt failed.
        var failure: String?
        /// The latest due time that came in the meantime.
        var queued: Occurrence?
        /// It is not wanted any more, and the store has forgotten it; the backend still has it.
        var isCancelled = false

        var deliveryID: String { occurrence.deliveryID }
        /// Not in the backend's hands.
        var isWaiting: Bool { retryAt != nil || heldUntil != nil }
        /// What will still be shown of it; nil where all was called off.
        var wanted: Occurrence? { isCancelled ? queued : occurrence }
    }

    /// The request's identifier.
    let id: String
    let idHash: Int
    var standing: Standing?
    var coming: Coming?
    /// Put off by the person, and pending until then: in storage with its ``DeliveryRecord/wait``.
    var snoozed: DeliveryRecord?

    init(id: String) {
        self.id = id
        idHash = id.hashValue
    }

    /// Without a notice yet.
    init(of entry: ScheduleEntry) {
        id = entry.id
        idHash = entry.idHash
    }

    /// Whether one of the notices needs a content.
    func needs(revision: Int64) -> Bool {
        if standing?.revision == revision || coming?.queued?.revision == revision { return true }
        if snoozed?.revision == revision { return true }
        return coming.map { !$0.isCancelled && $0.occurrence.revision == revision } ?? false
    }

    /// Calls `body` with each content that is still needed, and with the identifier of the request that it is of.
    func forEachContent(_ body: (String, Int64) -> Void) {
        func tell(_ record: DeliveryRecord) {
            body(record.summary?.members.last?.requestID ?? id, record.revision)
        }
        if let standing { tell(standing.record) }
        if let snoozed { tell(snoozed) }
        guard let coming else { return }
        if !coming.isCancelled { tell(coming.occurrence.record) }
        if let queued = coming.queued { tell(queued.record) }
    }

    /// Whether one of the notices stands for others.
    var isSummary: Bool {
        standing?.record.summary != nil || coming?.occurrence.record.summary != nil
            || coming?.queued?.record.summary != nil || snoozed?.summary != nil
    }

    /// Of the notice that is at hand most likely.
    var traits: DeliveryTraits? { coming?.occurrence.traits ?? standing?.traits ?? snoozed?.traits }

    /// The series that its notices belong to: more than one only where the identifier was used anew.
    var seriesBases: [String] {
        guard
            standing?.traits.series != nil || coming?.occurrence.traits.series != nil || coming?.queued != nil
                || snoozed != nil
        else { return [] }
        return [
            standing?.traits.series, coming?.occurrence.traits.series, coming?.queued?.traits.series,
            snoozed?.traits.series,
        ].compactMap { $0 }
    }
}
