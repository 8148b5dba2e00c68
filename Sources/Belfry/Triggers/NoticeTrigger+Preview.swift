public import BelfryRecurrence
public import FoundationEssentials

extension NoticeTrigger {
    /// Returns when a request with this trigger that is added at `date` would fire first; nil if it waits for no time,
    /// or never fires.
    public func nextTriggerDate(after date: Date = .now, in zone: ZoneRules = .system()) -> Date? {
        previewOccurrences(1, after: date, in: zone).first
    }

    /// Returns the first `count` firings of a request with this trigger that is added at `date`.
    public func previewOccurrences(
        _ count: Int,
        after date: Date = .now,
        in zone: ZoneRules = .system()
    ) -> [Date] {
        switch self {
        case is ImmediateTrigger: count > 0 ? [date] : []
        case let trigger as any ElapsedTimeTrigger: Self.firings(of: trigger, count, from: date)
        case let trigger as any WallClockTrigger:
            trigger.nextDates(
                min(count, trigger.repeats ? trigger.count ?? .max : 1),
                after: date,
                in: TriggerContext(zone: zone)
            )
        default: []
        }
    }

    private static func firings(of trigger: any ElapsedTimeTrigger, _ count: Int, from date: Date) -> [Date] {
        let most = min(count, trigger.repeats ? trigger.count ?? .max : 1)
        let first = trigger.startsNow ? 0 : 1
        guard most > 0, trigger.interval > .zero else { return [] }
        return (0..<most).map { date.addingTimeInterval(trigger.interval.seconds * Double($0 + first)) }
    }
}

extension WallClockTrigger {
    /// Returns the next dates, at most `count`. Stops at a date that is not after the previous one, to avoid an endless
    /// loop.
    package func nextDates(_ count: Int, after date: Date, in context: TriggerContext) -> [Date] {
        var dates: [Date] = []
        var last = date
        while dates.count < count, let next = nextDate(after: last, in: context), next > last {
            dates.append(next)
            last = next
        }
        return dates
    }
}
