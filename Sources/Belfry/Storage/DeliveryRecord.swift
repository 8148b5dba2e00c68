/// A delivery in storage.
///
/// A value of one pointer with shared storage: for each firing, the schedule, the store's transaction and the delivery
/// order have the same record, and there may be a million firings at once.
package struct DeliveryRecord: Sendable, Hashable, Identifiable {
    /// Immutable, so that it can be shared.
    private final class Storage: Sendable {
        let fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }

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

    private var storage: Storage

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
        storage = Storage(
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
        get { storage.fields.id }
        set { change { $0.id = newValue } }
    }
    package var requestID: String {
        get { storage.fields.requestID }
        set { change { $0.requestID = newValue } }
    }
    package var revision: Int64 {
        get { storage.fields.revision }
        set { change { $0.revision = newValue } }
    }
    package var dueAt: TriggerInstant {
        get { storage.fields.dueAt }
        set { change { $0.dueAt = newValue } }
    }
    /// When it was shown; nil if it has not been shown yet.
    package var shownAt: TriggerInstant? {
        get { storage.fields.shownAt }
        set { change { $0.shownAt = newValue } }
    }
    package var receipt: DeliveryReceipt? {
        get { storage.fields.receipt }
        set { change { $0.receipt = newValue } }
    }
    package var traits: DeliveryTraits {
        get { storage.fields.traits }
        set { change { $0.traits = newValue } }
    }

    /// The number of the request's firing, counted from 1, missed ones included.
    package var firing: Int {
        get { storage.fields.firing ?? 1 }
        set { change { $0.firing = newValue == 1 ? nil : newValue } }
    }
    /// The number of times the user has snoozed it.
    package var snoozes: Int {
        get { storage.fields.snoozes ?? 0 }
        set { change { $0.snoozes = newValue == 0 ? nil : newValue } }
    }
    /// Why it is neither in flight nor on the screen; nil if it is.
    package var wait: DeliveryWait? {
        get { storage.fields.wait }
        set { change { $0.wait = newValue } }
    }
    /// When quiet hours released it; lateness counts from then.
    package var releasedAt: TriggerInstant? {
        get { storage.fields.releasedAt }
        set { change { $0.releasedAt = newValue } }
    }
    /// Whether a backend had it before it began to wait: it may be on the screen.
    package var wasBegun: Bool {
        get { storage.fields.wasBegun ?? false }
        set { change { $0.wasBegun = newValue ? true : nil } }
    }
    /// The members, if it is a summary.
    package var summary: SummaryMark? {
        get { storage.fields.summary }
        set { change { $0.summary = newValue } }
    }
    /// The direction in which its region's border was crossed; nil for triggers without a region.
    package var crossing: CircularRegion.Crossing? { storage.fields.crossing }
    /// The instant from which lateness is measured.
    var lateFrom: TriggerInstant { storage.fields.releasedAt ?? storage.fields.dueAt }

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

    private mutating func change(_ body: (inout Fields) -> Void) {
        var fields = storage.fields
        body(&fields)
        storage = Storage(fields)
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.storage.fields == right.storage.fields
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(storage.fields.id) }
}

extension DeliveryRecord: Codable {
    package init(from decoder: any Decoder) throws { storage = Storage(try Fields(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try storage.fields.encode(to: encoder) }
}

extension DeliveryRecord: CustomStringConvertible {
    package var description: String {
        let fields = storage.fields
        let shown =
            fields.shownAt.map { "shown \($0) as \(fields.receipt.map { "\($0)" } ?? "nothing")" } ?? "not shown"
        return
            "\(fields.id) of '\(fields.requestID)' (\(fields.revision)), due \(fields.dueAt), \(shown), \(fields.traits)"
    }
}
