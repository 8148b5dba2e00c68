import Belfry
import BelfryRecurrence
import FoundationEssentials

/// Sentences for triggers of the wall clock, with their dates in one zone.
struct TriggerSentence {
    let words: SentenceWords
    let zone: ZoneRules
    /// The text after the sentence if the trigger has its own zone.
    private let zoneName: String

    /// - Parameter isOwn: whether the trigger has its own zone.
    init(_ words: SentenceWords, zone: ZoneRules, isOwn: Bool) {
        self.words = words
        self.zone = zone
        zoneName = isOwn ? " (\(zone.identifier))" : ""
    }

    func text(of trigger: DateTrigger) -> String? {
        guard let local = local(trigger.date) else { return nil }
        return once(DateFields(local: local))
    }

    func text(of trigger: CalendarTrigger) -> String? {
        let options = trigger.options
        guard options.calendar == .gregorian else { return nil }
        guard trigger.repeats else { return trigger.sets.count == 1 ? fullDate(trigger.sets[0]) : nil }
        return text(of: trigger, matching: trigger.sets, starting: options.starting, until: options.until)
    }

    func text(of trigger: RecurrenceTrigger) -> String? {
        guard trigger.offset == nil else { return nil }
        switch trigger.rule {
        case .cron(let rule):
            return text(of: trigger, matching: (try? CronExpression(parsing: rule))?.dateFields)
        case .onCalendar(let rule):
            return text(of: trigger, matching: (try? CalendarExpression(parsing: rule))?.dateFields)
        case .rrule(let rule):
            return (try? RRule(parsing: rule)).flatMap { text(of: trigger, by: $0) }
        }
    }

    private func text(
        of trigger: some WallClockTrigger,
        matching sets: [DateFields]?,
        starting: Date?,
        until: Date?
    ) -> String? {
        guard let dates = sets.flatMap({ EverydayDates(matching: $0) }), let last = limit(until, dates),
            let from = starting == nil ? "" : from(trigger)
        else { return nil }
        return words.text(dates) + zoneName + from + last + words.times(trigger.count)
    }

    private func text(of trigger: RecurrenceTrigger, matching sets: [DateFields]?) -> String? {
        text(of: trigger, matching: sets, starting: trigger.starting, until: trigger.until)
    }

    private func text(of trigger: RecurrenceTrigger, by rule: RRule) -> String? {
        guard rule.rules.count == 1, rule.additions.isEmpty, rule.exceptions.isEmpty,
            let start = rule.start?.local ?? trigger.starting.flatMap(startLocal),
            let sets = rule.rules[0].dateFields(from: DateFields(local: start)),
            let dates = EverydayDates(matching: sets, interval: rule.rules[0].interval, of: rule.rules[0].frequency),
            let from = from(trigger)
        else { return nil }
        var (until, times) = (trigger.until.flatMap(local), trigger.count)
        switch rule.rules[0].end {
        case nil: break
        case .count(let count):
            // One counts firings, the other dates of the rule; they differ once a date is missed. A start after the
            // rule's own leaves out dates that the rule counts.
            guard times == nil, (trigger.starting.flatMap(startLocal) ?? start) <= start else { return nil }
            times = count
        case .until(let date):
            guard trigger.until == nil else { return nil }
            if date.isDate {
                until = date.local + 86_399
            } else {
                until = date.clock == .utc ? local(Date(timeIntervalSince1970: Double(date.local))) : date.local
            }
        }
        let last = until.map { limit(local: $0, dates) } ?? ""
        return words.text(dates) + zoneName + from + last + words.times(times)
    }

    /// A start between two seconds is rounded up, as in the rule.
    private func startLocal(_ date: Date) -> Int64? {
        local(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up)))
    }

    /// Returns the sentence of a trigger that fires once, if it has a complete date.
    private func fullDate(_ set: DateFields) -> String? {
        let fields = set.withoutRedundantWeeks
        let plain = DateFields(
            year: fields.year,
            month: fields.month,
            day: fields.day,
            hour: fields.hour,
            minute: fields.minute,
            second: fields.second
        )
        guard fields == plain, fields.year != nil, let month = fields.month, (1...12).contains(month),
            let day = fields.day, (1...31).contains(day), fields.hour != nil || fields.minute == nil
        else { return nil }
        return once(fields)
    }

    private func once(_ fields: DateFields) -> String { dateAndTime(fields, words.once) + zoneName }

    private func dateAndTime(_ fields: DateFields, _ template: String) -> String {
        let time = TimeOfDay(hour: fields.hour ?? 0, minute: fields.minute ?? 0, second: fields.second ?? 0)
        return template.filled(["date": words.date(fields), "time": words.text(time)])
    }

    /// Returns the text for the first date; nil if there is none.
    private func from(_ trigger: some WallClockTrigger) -> String? {
        let beforeAll = Date(timeIntervalSince1970: -63_000_000_000)
        guard let first = trigger.nextDate(after: beforeAll, in: TriggerContext(zone: zone)), let local = local(first)
        else { return nil }
        return words.from.filled(["date": words.date(DateFields(local: local))])
    }

    /// Empty if there is no limit, nil if it is beyond the calendar.
    private func limit(_ until: Date?, _ dates: EverydayDates) -> String? {
        guard let until else { return "" }
        return local(until).map { limit(local: $0, dates) }
    }

    /// Returns the last day on which it fires: the day before, if the limit is before the first time of day. Between
    /// two times of day, the limit's time is included.
    private func limit(local until: Int64, _ dates: EverydayDates) -> String {
        let fields = DateFields(local: until)
        let time = Int(((until % 86_400) + 86_400) % 86_400)
        let text: String
        if time < dates.times.first?.secondsOfDay ?? 0 {
            text = words.date(DateFields(local: until - 86_400))
        } else if time < dates.times.last?.secondsOfDay ?? 0 {
            text = dateAndTime(fields, words.dateAndTime)
        } else {
            text = words.date(fields)
        }
        return words.until.filled(["date": text])
    }

    /// The local time of an instant in seconds since 1970, as if the zone were UTC.
    private func local(_ date: Date) -> Int64? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard seconds.magnitude < 253_402_000_000 else { return nil }
        return Int64(seconds) + Int64(zone.offset(at: Int64(seconds)))
    }
}
