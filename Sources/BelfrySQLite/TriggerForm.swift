import Belfry
import Foundation

/// A trigger as it stands in the row of a pending request: three numbers for the kinds that most requests have, so that opening a
/// store reads them without a text to be understood; for all others the mark of its text, which stands with the content.
struct TriggerForm: Equatable, Sendable {
    enum Shape: Int, Sendable {
        case none = 0
        /// The date, in seconds since 2001 as `Date` counts them, to the last bit.
        case date = 1
        /// The interval in microseconds. Shape plus 1: repeats; plus 2: starts now.
        case interval = 2
        /// ``mark(_:_:)`` of kind and payload.
        case text = 6
    }

    var shape: Int
    var number: Int64 = 0
    var seconds: Double?
    var times: Int?

    /// The short form, where the trigger has one that loses nothing.
    init?(_ trigger: (any NoticeTrigger)?) {
        switch trigger {
        case nil: shape = Shape.none.rawValue
        case let date as DateTrigger:
            // SQLite has no NaN.
            guard date.date.timeIntervalSinceReferenceDate.isFinite else { return nil }
            shape = Shape.date.rawValue
            seconds = date.date.timeIntervalSinceReferenceDate
        case let interval as IntervalTrigger:
            let (whole, rest) = interval.interval.components
            let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000_000)
            let (sum, secondOverflow) = product.addingReportingOverflow(rest / 1_000_000_000_000)
            guard rest % 1_000_000_000_000 == 0, !overflow, !secondOverflow else { return nil }
            shape = Shape.interval.rawValue + (interval.repeats ? 1 : 0) + (interval.startsNow ? 2 : 0)
            number = sum
            times = interval.times
        default: return nil
        }
    }

    init(textMark: Int64) {
        shape = Shape.text.rawValue
        number = textMark
    }

    /// An interval by its numbers; the schedule never asks for more.
    static func interval(shape: Int, microseconds: Int64, times: Int?) -> IntervalTrigger {
        var trigger = IntervalTrigger(after: .microseconds(microseconds))
        trigger.repeats = shape & 1 != 0
        trigger.startsNow = (shape - Shape.interval.rawValue) & 2 != 0
        trigger.times = times
        return trigger
    }

    /// Equal texts have equal marks, so that opening reads each but once (FNV-1a, 64 bits).
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
    /// The form of the row's trigger. Equal to what the trigger was made from, whatever wrote the row.
    func form(of trigger: (any NoticeTrigger)?) -> TriggerForm {
        guard let kind else { return TriggerForm(nil) ?? TriggerForm(textMark: 0) }
        return TriggerForm(trigger) ?? TriggerForm(textMark: TriggerForm.mark(kind, payload))
    }
}
