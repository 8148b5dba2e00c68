import FoundationEssentials

/// The trigger of a pending request, as returned by a store: usual kinds as plain values, all others behind one pointer
/// that requests with equal triggers may share. Each opening may create and read a million of them.
package enum StoredTrigger: Sendable {
    case none
    case date(DateTrigger)
    case interval(IntervalTrigger)
    /// A ``LocationTrigger`` with this region and the other options of the shared trigger.
    case place(CircularRegion, Shared<any NoticeTrigger>)
    case other(Shared<any NoticeTrigger>)

    package init(_ trigger: (any NoticeTrigger)?) {
        switch trigger {
        case nil: self = .none
        case let date as DateTrigger: self = .date(date)
        case let interval as IntervalTrigger: self = .interval(interval)
        case let place as LocationTrigger: self = .place(place.region, Shared<any NoticeTrigger>(place))
        case .some(let other): self = .other(Shared<any NoticeTrigger>(other))
        }
    }

    package var trigger: (any NoticeTrigger)? {
        switch self {
        case .none: return nil
        case .date(let date): return date
        case .interval(let interval): return interval
        case .place(let region, let shared):
            if var place = shared.value as? LocationTrigger {
                place.region = region
                return place
            } else {
                return shared.value
            }
        case .other(let shared): return shared.value
        }
    }
}

extension StoredTrigger: Equatable {
    /// Two triggers are equal if their requests fire alike, however they are kept.
    package static func == (left: StoredTrigger, right: StoredTrigger) -> Bool {
        left.trigger.map { AnyHashable($0) } == right.trigger.map { AnyHashable($0) }
    }
}
