import Belfry
import BelfryRecurrence
import FoundationEssentials

/// The trigger of a notice in Belfry's own form: exactly one kind, spelled as on the command line, with its options.
struct NativeTrigger {
    private let reader: ObjectReader
    /// The zone that is named; nil if the trigger floats.
    private let zone: ZoneRules?
    /// The zone of dates without one.
    private let dates: ZoneRules

    init(_ reader: ObjectReader, _ fileZone: ZoneRules?, or defaultZone: ZoneRules) {
        self.reader = reader
        let zone = reader.has("zone") ? reader.zone("zone") : fileZone
        self.zone = zone
        dates = zone ?? defaultZone
    }

    private var reference: ZoneReference { zone.map { .named($0.identifier) } ?? .floating }

    func read() -> NoticePlan? {
        let kinds = TriggerKey.allCases.filter { reader.has($0.rawValue) }
        guard let kind = kinds.first else {
            reader.report("has no kind; write one of \(TriggerKey.allCases.map(\.rawValue).joined(separator: ", "))")
            return nil
        }
        guard kinds.count == 1 else {
            let names = kinds.map { "'\($0.rawValue)'" }.joined(separator: " and ")
            reader.report("has \(names), and a notice has one of them; write a second notice for the other")
            return nil
        }
        guard checkCompanions(of: kind) else { return nil }
        let plan: NoticePlan?
        switch kind {
        case .in: plan = delay()
        case .at: plan = reader.date("at", in: dates).map { .trigger(DateTrigger(date: $0)) }
        case .every: plan = interval()
        case .match: plan = calendar()
        case .on: plan = recurrence("on", { .onCalendar($0) }, starting: "starting")
        case .cron: plan = recurrence("cron", { .cron($0) }, starting: "starting")
        case .rrule: plan = recurrence("rrule", { .rrule($0) }, starting: "start")
        case .near: plan = region()
        }
        guard case .trigger(let trigger)? = plan else { return plan }
        do throws(NoticeError) { try trigger.validate() } catch {
            reader.report(error.message, code: error.code)
            return nil
        }
        return plan
    }

    private func checkCompanions(of kind: TriggerKey) -> Bool {
        var isRight = true
        for name in TriggerKey.allKeys
        where name != kind.rawValue && reader.has(name) && !kind.companions.contains(name) {
            let advice =
                switch (kind, name) {
                case (.rrule, "starting"): "a rule's first date is its \"start\""
                case (.on, "start"), (.cron, "start"), (.match, "start"), (.every, "start"): "write \"starting\""
                default:
                    "beside '\(kind.rawValue)' may stand "
                        + (kind.companions.isEmpty ? "nothing" : kind.companions.joined(separator: ", "))
                }
            reader.report(name, "does not go with '\(kind.rawValue)'; \(advice)")
            isRight = false
        }
        guard reader.bool("repeats") == false, kind != .match, kind != .near else { return isRight }
        reader.report("repeats", "is false, and '\(kind.rawValue)' repeats; for one firing write \"times\": 1")
        return false
    }

    // MARK: Options of several kinds

    /// The bounds of a repeating trigger.
    private struct Bounds {
        let start: DateText.Value?
        let until: Date?
        let times: Int?
        let areInOrder: Bool
    }

    private func bounds(_ start: String = "starting") -> Bounds {
        let first = reader.typedDate(start, in: dates)
        let until = reader.date("until", in: dates, .lastSecond)
        let times = reader.integer("times", 1...Int.max)
        let areInOrder = (until ?? .distantFuture) >= (first?.date ?? .distantPast)
        if !areInOrder { reader.report("until", "is before '\(start)'; write a later end or an earlier start") }
        return Bounds(start: first, until: until, times: times, areInOrder: areInOrder)
    }

    // MARK: Time spans

    private func delay() -> NoticePlan? {
        guard let span = reader.duration("in") else { return nil }
        return span > .zero ? .trigger(IntervalTrigger(after: span)) : reader.mismatch("in", "longer than 0 s")
    }

    private func interval() -> NoticePlan? {
        guard let span = reader.duration("every") else { return nil }
        guard span >= IntervalTrigger.minimumRepeat else {
            let found = reader.position("every")?.node
            return reader.reject("every", "must be at least 60 s, found \(found?.text ?? found?.found ?? "")")
        }
        let startsNow = reader.bool("startsNow") ?? false
        guard reader.has("starting") || reader.has("until") else {
            let times = reader.integer("times", 1...Int.max)
            return .trigger(IntervalTrigger(every: span, startsNow: startsNow, count: times))
        }
        let bounds = bounds()
        guard bounds.areInOrder else { return nil }
        guard !startsNow else {
            return reader.report(
                "startsNow",
                "does not go with 'starting' and 'until'; write \"starting\" with the first date"
            )
        }
        let (seconds, rest) = span.components
        guard rest == 0, seconds <= 100 * 366 * 86_400 else {
            return reader.mismatch("every", "whole seconds, at most 100 years, beside 'starting' or 'until'")
        }
        // Unreadable dates have already been reported.
        guard reader.has("starting") == (bounds.start != nil), reader.has("until") == (bounds.until != nil) else {
            return nil
        }
        return .interval(seconds: seconds, starting: bounds.start?.date, until: bounds.until, times: bounds.times)
    }

    // MARK: Calendar and rules

    private func calendar() -> NoticePlan? {
        guard let position = reader.position("match") else { return nil }
        let sets = position.elements ?? [position]
        guard !sets.isEmpty else { return reader.mismatch("match", "an object of date components, or several") }
        let fields = sets.compactMap(components)
        let repeats = reader.bool("repeats") ?? false
        let bounds = bounds()
        if reader.has("times"), !repeats {
            return reader.report("times", "belongs to what repeats; write \"repeats\": true beside it")
        }
        guard fields.count == sets.count, bounds.areInOrder else { return nil }
        return .trigger(
            CalendarTrigger(
                matching: fields,
                repeats: repeats,
                options: .init(
                    zone: reference,
                    policies: DatePolicies(
                        missingDate: reader.choice("missingDate") ?? DatePolicies().missingDate,
                        missingTime: reader.choice("missingTime") ?? DatePolicies().missingTime,
                        repeatedTime: reader.choice("repeatedTime") ?? DatePolicies().repeatedTime
                    ),
                    weeks: WeekRules(
                        firstWeekday: reader.integer("firstWeekday", 1...7) ?? 1,
                        minimumDaysInFirstWeek: reader.integer("minimumDaysInFirstWeek", 1...7) ?? 1
                    ),
                    calendar: reader.choice("calendar") ?? .gregorian,
                    starting: bounds.start?.date,
                    until: bounds.until,
                    count: bounds.times
                )
            )
        )
    }

    private func components(_ position: NodePosition) -> DateFields? {
        guard let set = ObjectReader(position, NativeKeys.components, reader.collector) else { return nil }
        guard position.node.fields?.isEmpty == false else {
            set.report("has no date component; there are \(ComponentName.list)")
            return nil
        }
        var fields = DateFields()
        var isRight = true
        for (name, path) in DateFields.components where set.has(name) {
            let named = set.position(name)?.node.text.flatMap { ComponentName.value($0, of: name) }
            let number = named ?? set.integer(name, Int.min...Int.max)
            fields[keyPath: path] = number
            isRight = isRight && number != nil
        }
        return isRight && fields != DateFields() ? fields : nil
    }

    private func recurrence(
        _ name: String,
        _ rule: (String) -> RecurrenceTrigger.Rule,
        starting: String
    ) -> NoticePlan? {
        guard let text = reader.text(name) else { return nil }
        let bounds = bounds(starting)
        guard bounds.areInOrder else { return nil }
        return reader.reading(name) { () throws(NoticeError) in
            .trigger(
                try RecurrenceTrigger(
                    rule(text),
                    zone: reference,
                    startingByClock: bounds.start?.date,
                    typedAs: bounds.start?.local,
                    of: dates,
                    until: bounds.until,
                    count: bounds.times
                )
            )
        }
    }

    // MARK: Regions

    private func region() -> NoticePlan? {
        guard let near = reader.object("near", NativeKeys.near) else { return nil }
        for key in NativeKeys.near {
            near.require(key, "a region has latitude, longitude (degrees) and radius (meters)")
        }
        let edge: CircularRegion.Edge = reader.choice("edge") ?? .entry
        let dwell = reader.duration("dwell") ?? .zero
        let during = during()
        guard let latitude = near.number("latitude"), let longitude = near.number("longitude"),
            let radius = near.number("radius")
        else { return nil }
        var trigger = LocationTrigger(
            region: CircularRegion(latitude: latitude, longitude: longitude, radius: radius),
            edge: edge,
            dwell: dwell,
            repeats: reader.bool("repeats") ?? false
        )
        trigger.during = during
        return .trigger(trigger)
    }

    /// Reads a calendar expression; the region counts only in the minutes that match it.
    private func during() -> String? {
        guard let text = reader.text("during") else { return nil }
        do throws(RecurrenceError) { _ = try CalendarExpression(parsing: text) } catch {
            return reader.reject("during", error.message)
        }
        return text
    }
}
