import Belfry
import BelfryRecurrence
import Foundation

/// The coming fire dates of a trigger, in order, as a center would have them.
struct FireDates: Sequence, IteratorProtocol {
    private var last: Date
    private var left: Int?
    private let following: (Date) -> Date?

    /// `looksFurther`: dates of a pattern that fires once are all of its dates.
    init(
        of trigger: any NoticeTrigger,
        after start: Date,
        zone: ZoneRules,
        looksFurther: Bool
    ) throws(CommandFailure) {
        last = start
        switch trigger {
        case let trigger as any WallClockTrigger:
            let context = TriggerContext(zone: zone)
            following = { trigger.nextDate(after: $0, in: context) }
            left = trigger.count ?? (trigger.repeats || looksFurther ? nil : 1)
        case let trigger as any ElapsedTimeTrigger:
            let interval = trigger.interval.seconds
            following = { $0.addingTimeInterval(interval) }
            left = trigger.count ?? (trigger.repeats ? nil : 1)
        case is any RegionTrigger:
            throw CommandFailure(
                .unsupported,
                "A place has no dates: nobody knows when it is reached. Use next with a trigger of time."
            )
        default:
            following = { _ in nil }
            left = 0
        }
    }

    mutating func next() -> Date? {
        if let left {
            guard left > 0 else { return nil }
            self.left = left - 1
        }
        guard let date = following(last), date > last else { return nil }
        last = date
        return date
    }
}
