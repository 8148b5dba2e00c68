/// A delivery in storage, with the members of its ``Fields``.
///
/// The fields are shared: for each firing, the schedule, the store's transaction and the delivery order have the same
/// record, and there may be a million firings at once.
@dynamicMemberLookup
package struct DeliveryRecord: Sendable, Hashable, Identifiable {
    package struct Fields: Sendable, Codable, Hashable {
        package var id: String
        package var requestID: String
        package var revision: Int64
        package var dueAt: TriggerInstant
        /// When it was shown; nil if it has not been shown yet.
        package var shownAt: TriggerInstant?
        package var receipt: DeliveryReceipt?
        package var traits: DeliveryTraits
        // Nil for the defaults 1, 0 and false, which most records have.
        fileprivate var firing: Int?
        fileprivate var snoozes: Int?
        fileprivate var wasBegun: Bool?
        /// Why it is neither in flight nor on the screen; nil if it is.
        package var wait: DeliveryWait?
        /// When quiet hours released it; lateness counts from then.
        package var releasedAt: TriggerInstant?
        /// The members, if it is a summary.
        package var summary: SummaryMark?
        /// The direction in which its region's border was crossed; nil for triggers without a region.
        package var crossing: CircularRegion.Crossing?
        /// The revision of the pending request whose notice the app snoozed: the snoozed one has a revision of its own.
        package var snoozedFrom: Int64?
    }

    private var fields: Shared<Fields>

    package init(
        id: String,
        requestID: String,
        revision: Int64,
        dueAt: TriggerInstant,
        shownAt: TriggerInstant? = nil,
        receipt: DeliveryReceipt? = nil,
        traits: DeliveryTraits,
        firing: Int = 1,
        crossing: CircularRegion.Crossing? = nil
    ) {
        fields = Shared(
            Fields(
                id: id,
                requestID: requestID,
                revision: revision,
                dueAt: dueAt,
                shownAt: shownAt,
                receipt: receipt,
                traits: traits,
                firing: firing == 1 ? nil : firing,
                crossing: crossing
            )
        )
    }

    package subscript<Value>(dynamicMember field: WritableKeyPath<Fields, Value>) -> Value {
        get { fields.value[keyPath: field] }
        set { fields.value[keyPath: field] = newValue }
    }

    package var id: String {
        get { fields.value.id }
        set { fields.value.id = newValue }
    }
    /// The number of the request's firing, counted from 1, missed ones included.
    package var firing: Int {
        get { fields.value.firing ?? 1 }
        set { fields.value.firing = newValue == 1 ? nil : newValue }
    }
    /// The number of times the user has snoozed it.
    package var snoozes: Int {
        get { fields.value.snoozes ?? 0 }
        set { fields.value.snoozes = newValue == 0 ? nil : newValue }
    }
    /// Whether a backend had it before it began to wait: it may be on the screen.
    package var wasBegun: Bool {
        get { fields.value.wasBegun ?? false }
        set { fields.value.wasBegun = newValue ? true : nil }
    }
    /// The revision of the request that a response may end.
    var requestRevision: Int64 { self.snoozedFrom ?? self.revision }
    /// The instant from which lateness is measured.
    var lateFrom: TriggerInstant { self.releasedAt ?? self.dueAt }

    /// How late it is or was at an instant; never negative.
    func late(at instant: TriggerInstant) -> Duration { .microseconds(max(0, instant.boot - lateFrom.boot)) }

    /// Returns the same delivery as a notice on the screen.
    func shown(at instant: TriggerInstant, _ receipt: DeliveryReceipt, reportsDismissal: Bool) -> DeliveryRecord {
        // One new value instead of one for each change.
        var shown = fields.value
        shown.shownAt = instant
        shown.receipt = receipt
        shown.traits.reportsDismissal = reportsDismissal
        var record = self
        record.fields.value = shown
        return record
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension DeliveryRecord: Codable {
    package init(from decoder: any Decoder) throws { fields = try Shared(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}
