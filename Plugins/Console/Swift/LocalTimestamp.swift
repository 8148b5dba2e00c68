import Belfry
import BelfryRecurrence
import FoundationEssentials

/// An instant in the local time of a zone, to the second.
struct LocalTimestamp {
    private let local: LocalDate
    private let offset: Int

    /// When a delivery is shown.
    init(of delivery: Delivery, in zone: ZoneRules) {
        self.init(delivery.dueDate.addingTimeInterval(delivery.late.seconds), in: zone)
    }

    /// Clamped to the years 1 to 9999, which is what RFC 3339 can write.
    init(_ date: Date, in zone: ZoneRules) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let instant = seconds.isNaN ? 0 : Int64(min(max(seconds, -62_135_510_400), 253_402_214_400))
        offset = zone.offset(at: instant)
        local = LocalDate(secondsAtUTC: instant + Int64(offset))
    }

    /// As RFC 3339 has it, with the offset.
    var rfc3339: String {
        "\(local.date)T\(local.time)\(offset == 0 ? "Z" : LocalDate.text(ofOffset: offset))"
    }

    var readable: String { "\(local.date) \(local.time)" }
}
