import Belfry
import BelfryRecurrence
import FoundationEssentials

/// A date in the local time of a zone, to the second.
struct LocalTimestamp {
    private let local: LocalDate
    private let offset: Int

    /// Creates the timestamp at which a delivery is shown.
    init(of delivery: Delivery, in zone: ZoneRules) {
        self.init(delivery.dueDate.addingTimeInterval(delivery.late.seconds), in: zone)
    }

    /// Creates a timestamp, clamped to the years 1 to 9999, which RFC 3339 can represent.
    init(_ date: Date, in zone: ZoneRules) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let instant = seconds.isNaN ? 0 : Int64(min(max(seconds, -62_135_510_400), 253_402_214_400))
        offset = zone.offset(at: instant)
        local = LocalDate(secondsAtUTC: instant + Int64(offset))
    }

    /// The RFC 3339 form, with the offset.
    var rfc3339: String {
        "\(local.date)T\(local.time)\(offset == 0 ? "Z" : LocalDate.text(ofOffset: offset))"
    }

    var readable: String { "\(local.date) \(local.time)" }
}
