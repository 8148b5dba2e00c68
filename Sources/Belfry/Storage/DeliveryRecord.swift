/// A delivery in storage.
///
/// Its fields are shared: for each firing, the schedule, the store's transaction and the delivery order have the same
/// record, and there may be a million firings at once.
package struct DeliveryRecord: Sendable, Hashable, Identifiable {
    private struct Fields: Sendable, Codable, Hashable {
        var id: String
        var requestID: String
        var revision: Int64
        var dueAt: TriggerInstant
        var shownAt: TriggerInstant?
        var receipt: DeliveryReceipt?
        var traits: DeliveryTraits
        // Nil for the defaults 1 and 0, which most records have.
        var firing: Int?
        var snoozes: Int?
        var wait: DeliveryWait?
        var releasedAt: TriggerInstant?
        var wasBegun: Bool?
        var summary: SummaryMark?
        var crossing: CircularRegion.Crossing?
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

    package var id: String {
        get { fields.value.id }
        set { change { $0.id = newValue } }
    }
    package var requestID: String {
        get { fields.value.requestID }
        set { change { $0.requestID = newValue } }
    }
    package var revision: Int64 {
        get { fields.value.revision }
        set { change { $0.revision = newValue } }
    }
    package var dueAt: TriggerInstant {
        get { fields.value.dueAt }
        set { change { $0.dueAt = newValue } }
    }
    /// When it was shown; nil if it has not been shown yet.
    package var shownAt: TriggerInstant? {
        get { fields.value.shownAt }
        set { change { $0.shownAt = newValue } }
    }
    package var receipt: DeliveryReceipt? {
        get { fields.value.receipt }
        set { change { $0.receipt = newValue } }
    }
    package var traits: DeliveryTraits {
        get { fields.value.traits }
        set { change { $0.traits = newValue } }
    }

    /// The number of the request's firing, counted from 1, missed ones included.
    package var firing: Int {
        get { fields.value.firing ?? 1 }
        set { change { $0.firing = newValue == 1 ? nil : newValue } }
    }
    /// The number of times the user has snoozed it.
    package var snoozes: Int {
        get { fields.value.snoozes ?? 0 }
        set { change { $0.snoozes = newValue == 0 ? nil : newValue } }
    }
    /// Why it is neither in flight nor on the screen; nil if it is.
    package var wait: DeliveryWait? {
        get { fields.value.wait }
        set { change { $0.wait = newValue } }
    }
    /// When quiet hours released it; lateness counts from then.
    package var releasedAt: TriggerInstant? {
        get { fields.value.releasedAt }
        set { change { $0.releasedAt = newValue } }
    }
    /// Whether a backend had it before it began to wait: it may be on the screen.
    package var wasBegun: Bool {
        get { fields.value.wasBegun ?? false }
        set { change { $0.wasBegun = newValue ? true : nil } }
    }
    /// The members, if it is a summary.
    package var summary: SummaryMark? {
        get { fields.value.summary }
        set { change { $0.summary = newValue } }
    }
    /// The direction in which its region's border was crossed; nil for triggers without a region.
    package var crossing: CircularRegion.Crossing? { fields.value.crossing }
    /// The instant from which lateness is measured.
    var lateFrom: TriggerInstant { fields.value.releasedAt ?? fields.value.dueAt }

    /// Returns the same delivery as a notice on the screen.
    func shown(at instant: TriggerInstant, _ receipt: DeliveryReceipt, reportsDismissal: Bool) -> DeliveryRecord {
        var record = self
        record.change {
            $0.shownAt = instant
            $0.receipt = receipt
            $0.traits.reportsDismissal = reportsDismissal
        }
        return record
    }

    private mutating func change(_ body: (inout Fields) -> Void) { body(&fields.value) }

    package func hash(into hasher: inout Hasher) { hasher.combine(fields.value.id) }
}

extension DeliveryRecord: Codable {
    package init(from decoder: any Decoder) throws { fields = try Shared(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try fields.value.encode(to: encoder) }
}

extension DeliveryRecord: CustomStringConvertible {
    package var description: String {
        let fields = fields.value
        let shown =
            fields.shownAt.map { "shown \($0) as \(fields.receipt.map { "\($0)" } ?? "nothing")" } ?? "not shown"
        return
            "\(fields.id) of '\(fields.requestID)' (\(fields.revision)), due \(fields.dueAt), \(shown), \(fields.traits)"
    }
}
