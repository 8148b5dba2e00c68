import Belfry
import FoundationEssentials

/// A trigger in the row of a pending request. The most common kinds are three numbers, so that opening a store parses
/// no text for them. All others are the mark of their text, which is stored with the content.
struct TriggerForm: Equatable, Sendable {
    enum Shape: Int, Sendable {
        case none = 0
        /// The date, in seconds since 2001 as in `Date`, without rounding.
        case date = 1
        /// The interval in microseconds. Shape plus 1: repeats; plus 2: starts now.
        case interval = 2
        /// The ``mark(_:_:)`` of kind and payload.
        case text = 6
        /// The dwell time in microseconds, and a region. Shape plus 1: on exit; plus 2: on both; plus 3: repeats.
        case region = 16
        /// A region whose dwell time and period are in the text; the number is the mark of that text without the
        /// region.
        case regionText = 32
    }

    var shape: Int
    var number: Int64 = 0
    var seconds: Double?
    var count: Int?
    var region: CircularRegion?

    /// Returns the short form; nil if the trigger has none that is lossless.
    static func short(_ trigger: any NoticeTrigger) -> TriggerForm? {
        switch trigger {
        case let date as DateTrigger:
            // SQLite has no NaN.
            guard date.date.timeIntervalSinceReferenceDate.isFinite else { return nil }
            return TriggerForm(shape: Shape.date.rawValue, seconds: date.date.timeIntervalSinceReferenceDate)
        case let interval as IntervalTrigger:
            guard let microseconds = microseconds(interval.interval) else { return nil }
            let shape = Shape.interval.rawValue + (interval.repeats ? 1 : 0) + (interval.startsNow ? 2 : 0)
            return TriggerForm(shape: shape, number: microseconds, count: interval.count)
        case let location as LocationTrigger:
            guard location.region.isFinite else { return nil }
            guard let dwell = microseconds(location.dwell), location.during == nil else {
                let mark = markWithoutRegion(location)
                return TriggerForm(shape: Shape.regionText.rawValue, number: mark, region: location.region)
            }
            let shape = Shape.region.rawValue + regionNumber(location)
            return TriggerForm(shape: shape, number: dwell, region: location.region)
        default: return nil
        }
    }

    /// The duration in microseconds; nil if that is lossy.
    private static func microseconds(_ duration: Duration) -> Int64? {
        let microseconds = duration.microseconds
        return .microseconds(microseconds) == duration ? microseconds : nil
    }

    private static let edges: [CircularRegion.Edge] = [.entry, .exit, .both]
    /// All shapes of ``Shape/region``.
    static let regionShapes = Shape.region.rawValue..<Shape.region.rawValue + 2 * edges.count

    private static func regionNumber(_ trigger: LocationTrigger) -> Int {
        (edges.firstIndex(of: trigger.edge) ?? 0) + (trigger.repeats ? edges.count : 0)
    }

    /// Returns a location trigger by its numbers, with a placeholder for the region of the row.
    static func location(shape: Int, microseconds: Int64) -> LocationTrigger {
        let number = shape - Shape.region.rawValue
        return LocationTrigger(
            region: CircularRegion(latitude: 0, longitude: 0, radius: 1),
            edge: edges[number % edges.count],
            dwell: .microseconds(microseconds),
            repeats: number >= edges.count
        )
    }

    /// Returns equal marks for location triggers that differ only in their regions.
    private static func markWithoutRegion(_ trigger: LocationTrigger) -> Int64 {
        let (whole, rest) = trigger.dwell.components
        let text = "\(regionNumber(trigger)) \(whole) \(rest) \(trigger.during ?? "")"
        return mark(Data(LocationTrigger.kind.rawValue.utf8), Data(text.utf8))
    }

    /// Returns an interval by its numbers; the schedule needs no more.
    static func interval(shape: Int, microseconds: Int64, count: Int?) -> IntervalTrigger {
        var trigger = IntervalTrigger(after: .microseconds(microseconds))
        trigger.repeats = shape & 1 != 0
        trigger.startsNow = (shape - Shape.interval.rawValue) & 2 != 0
        trigger.count = count
        return trigger
    }

    /// Returns the same mark for equal texts, so that opening reads each only once (FNV-1a, 64 bits).
    static func mark(_ kind: Data, _ payload: Data?) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        kind.forEach(add)
        add(0xFF)
        payload?.forEach(add)
        return Int64(bitPattern: hash)
    }
}

extension RequestRow {
    /// Returns the form of the row's trigger. It equals the original trigger's, whatever wrote the row.
    func form(of trigger: (any NoticeTrigger)?) -> TriggerForm {
        guard let kind, let trigger else { return TriggerForm(shape: TriggerForm.Shape.none.rawValue) }
        if let short = TriggerForm.short(trigger) { return short }
        return TriggerForm(shape: TriggerForm.Shape.text.rawValue, number: TriggerForm.mark(kind, payload))
    }
}

extension CircularRegion {
    /// Whether the numbers can be stored; SQLite has no NaN.
    fileprivate var isFinite: Bool { latitude.isFinite && longitude.isFinite && radius.isFinite }
}
