public import Belfry
public import BelfryRecurrence
import FoundationEssentials

extension NoticeTrigger {
    /// Returns the trigger in words: `every weekday at 9:25, 10 times`; nil if no short sentence describes its dates.
    ///
    /// It describes triggers by date, interval, components and notation, however they were created, including those of
    /// pending requests. It doesn't mention the policies for missing dates and times. `from` names the first date that
    /// fires, if the trigger has a start, and `until` the last possible day.
    ///
    /// ```swift
    /// CalendarTrigger.monthly(on: .last(.friday), at: "18:00").sentence(in: ["en"])
    /// // on the last Friday of each month at 18:00
    /// ```
    /// - Parameters:
    ///   - languages: The languages, best first; by default those of the environment. English, German, French and
    ///     Spanish are available; English replaces all others.
    ///   - zone: The zone of the dates, if the trigger names none.
    public func sentence(
        in languages: [String]? = nil,
        zone: ZoneRules = .system()
    ) -> String? {
        let words = SentenceWords.best(for: languages ?? LanguagePreference.current())
        switch self {
        case let trigger as DateTrigger: return TriggerSentence(words, zone: zone, isOwn: false).text(of: trigger)
        case let trigger as IntervalTrigger: return words.text(of: trigger)
        case let trigger as CalendarTrigger:
            guard let own = try? trigger.options.zone.rules(or: zone) else { return nil }
            return TriggerSentence(words, zone: own, isOwn: !trigger.followsSystemZone).text(of: trigger)
        case let trigger as RecurrenceTrigger:
            guard let own = try? trigger.zone(in: zone) else { return nil }
            return TriggerSentence(words, zone: own, isOwn: !trigger.followsSystemZone).text(of: trigger)
        default: return nil
        }
    }
}

extension SentenceWords {
    /// Days are expressed in hours, because an interval of days doesn't keep the time of day.
    func text(of trigger: IntervalTrigger) -> String? {
        guard trigger.interval > .zero, trigger.interval <= NumberBounds.longestDuration else { return nil }
        let (seconds, fraction) = trigger.interval.components
        guard fraction == 0 else { return nil }
        let units: [(Int64, Unit)] = [(3_600, hour), (60, minute), (1, second)]
        guard let (size, unit) = units.first(where: { seconds % $0.0 == 0 }) else { return nil }
        let number = seconds / size
        let span = number == 1 ? unit.one : unit.many.filled(["n": "\(number)"])
        guard trigger.repeats else { return after.filled(["span": span]) }
        return (number == 1 ? unit.each : every.filled(["span": span])) + (trigger.startsNow ? startsNow : "")
            + times(trigger.count)
    }

    func times(_ count: Int?) -> String {
        count.map { $0 == 1 ? oneTime : manyTimes.filled(["n": "\($0)"]) } ?? ""
    }
}
