import Belfry
import BelfryRecurrence
import Foundation

/// The trigger of a notice in Belfry's own form: exactly one kind, spelled as on the command line, and what belongs to it.
struct NativeTrigger {
    private let reader: ObjectReader
    /// The zone that is named; nil floats.
    private let zone: ZoneRules?
    /// The zone of dates that name none.
    private let dates: ZoneRules

    init(_ reader: ObjectReader, _ fileZone: ZoneRules?, or defaultZone: ZoneRules) {
        self.reader = reader
        let zone = reader.has("zone") ? reader.zone("zone") : fileZone
        self.zone = zone
        dates = zone ?? defaultZone
    }

    private var reference: ZoneReference { zone.map { .named($0.identifier) } ?? .floating }

    func read() -> NoticePlan? {
        let kinds = TriggerForm.allCases.filter { reader.has($0.rawValue) }
        guard let kind = kinds.first else {
            reader.fault("has no kind; write one of \(TriggerForm.allCases.map(\.rawValue).joined(separator: ", "))")
            return nil
        }
        guard kinds.count == 1 else {
            let names = kinds.map { "'\($0.rawValue)'" }.joined(separator: " and ")
            reader.fault("has \(names), and a notice has one of them; write a second notice for the other")
            return nil
        }
        guard checkCompanions(of: kind) else { return nil }
        let plan: NoticePlan?
        switch kind {
        case .in: plan = delay()
        case .at: plan = reader.date("at", in: dates).map { .trigger(DateTrigger(date: $0)) }
        case .every: plan = interval()
        case .match: plan = calendar()
        case .on: plan = reader.text("on").flatMap { recurrence(.onCalendar($0), "on", starting: "starting") }
        case .cron: plan = reader.text("cron").flatMap { recurrence(.cron($0), "cron", starting: "starting") }
        case .rrule: plan = reader.text("rrule").flatMap { recurrence(.rrule($0), "rrule", starting: "start") }
        case .near: plan = place()
        }
        guard case .trigger(let trigger)? = plan else { return plan }
        do throws(NoticeError) { try trigger.validate() } catch {
            reader.fault(error.message, code: error.code)
            return nil
        }
        return plan
    }

    private func checkCompanions(of kind: TriggerForm) -> Bool {
        var isRight = true
        for name in TriggerForm.allKeys
        where name != kind.rawValue && reader.has(name) && !kind.companions.contains(name) {
            let advice: String
            switch (kind, name) {
            case (.rrule, "starting"): advice = "a rule's first date is its \"start\""
            case (.on, "start"), (.cron, "start"), (.match, "start"), (.every, "start"): advice = "write \"starting\""
            default:
                advice =
                    "beside '\(kind.rawValue)' may stand "
                    + (kind.companions.isEmpty ? "nothing" : kind.companions.joined(separator: ", "))
            }
            reader.fault(name, "does not go with '\(kind.rawValue)'; \(advice)")
            isRight = false
        }
        guard reader.bool("repeats") == false, kind != .match, kind != .near else { return isRight }
        reader.fault("repeats", "is false, and '\(kind.rawValue)' repeats; for one firing write \"times\": 1")
        return false
    }

    private func delay() -> NoticePlan? {
        guard let span = reader.duration("in") else { return nil }
        guard span > .zero else { return reader.mismatch("in", "longer than 0 s") }
        return .trigger(IntervalTrigger(after: span))
    }

    private func interval() -> NoticePlan? {
        guard let span = reader.duration("every") else { return nil }
        guard span >= IntervalTrigger.minimumRepeat else {
            let found = reader.place("every")?.node
            reader.collector.add(
                "must be at least 60 s, found \(found?.text ?? found?.found ?? "")",
                at: reader.path("every"),
                found?.offset ?? 0
            )
            return nil
        }
        let starting = reader.date("starting", in: dates)
        let until = reader.date("until", in: dates, .lastSecond)
        let times = reader.integer("times", 1...Int.max)
        let startsNow = reader.bool("startsNow") ?? false
        guard reader.has("starting") || reader.has("until") else {
            return .trigger(IntervalTrigger(every: span, startsNow: startsNow, count: times))
        }
        guard isInOrder(starting, until) else { return nil }
        guard !startsNow else {
            reader.fault("startsNow", "does not go with 'starting' and 'until'; write \"starting\" with the first date")
            return nil
        }
        let (seconds, rest) = span.components
        guard rest == 0, seconds <= 100 * 366 * 86_400 else {
            return reader.mismatch("every", "whole seconds, at most 100 years, beside 'starting' or 'until'")
        }
        guard !reader.has("starting") || starting != nil, !reader.has("until") || until != nil else { return nil }
        return .interval(seconds: seconds, starting: starting, until: until, times: times)
    }

    private func isInOrder(_ starting: Date?, _ until: Date?, _ name: String = "starting") -> Bool {
        guard let starting, let until, until < starting else { return true }
        reader.fault("until", "is before '\(name)'; write a later end or an earlier start")
        return false
    }

    // MARK: Calendar

    private func calendar() -> NoticePlan? {
        guard let place = reader.place("match") else { return nil }
        let sets: [NodePosition]
        if let elements = place.node.elements {
            guard !elements.isEmpty else {
                return reader.mismatch("match", "an object of date components, or several")
            }
            sets = elements.enumerated().map { NodePosition(node: $1, path: "\(place.path)[\($0)]") }
        } else {
            sets = [place]
        }
        let fields = sets.compactMap(components)
        let repeats = reader.bool("repeats") ?? false
        let starting = reader.date("starting", in: dates)
        let until = reader.date("until", in: dates, .lastSecond)
        let times = reader.integer("times", 1...Int.max)
        if reader.has("times"), !repeats {
            reader.fault("times", "belongs to what repeats; write \"repeats\": true beside it")
            return nil
        }
        guard fields.count == sets.count, isInOrder(starting, until) else { return nil }
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
                    starting: starting,
                    until: until,
                    count: times
                )
            )
        )
    }

    private func components(_ place: NodePosition) -> DateFields? {
        guard let set = ObjectReader(place, NativeKeys.components, reader.collector) else { return nil }
        guard place.node.fields?.isEmpty == false else {
            set.fault("has no date component; there are \(ComponentName.list)")
            return nil
        }
        var fields = DateFields()
        var isRight = true
        for (name, path) in ComponentName.all {
            guard let value = set.place(name)?.node else { continue }
            if let word = value.text, let number = ComponentName.value(word, of: name) {
                fields[keyPath: path] = number
            } else if let number = set.integer(name, Int.min...Int.max) {
                fields[keyPath: path] = number
            } else {
                isRight = false
            }
        }
        return isRight && fields != DateFields() ? fields : nil
    }

    // MARK: Rules and places

    private func recurrence(_ rule: RecurrenceTrigger.Rule, _ name: String, starting: String) -> NoticePlan? {
        let start = reader.date(starting, in: dates)
        let until = reader.date("until", in: dates, .lastSecond)
        let times = reader.integer("times", 1...Int.max)
        guard isInOrder(start, until, starting) else { return nil }
        do throws(NoticeError) {
            return .trigger(
                try RecurrenceTrigger(
                    rule,
                    zone: reference,
                    startingByClock: start,
                    of: dates,
                    until: until,
                    count: times
                )
            )
        } catch {
            let place = reader.place(name)
            reader.collector.add(error.message, at: reader.path(name), place?.node.offset ?? 0, code: error.code)
            return nil
        }
    }

    private func place() -> NoticePlan? {
        guard let place = reader.place("near"), let near = ObjectReader(place, NativeKeys.near, reader.collector) else {
            return nil
        }
        for key in NativeKeys.near.keys where !near.has(key) {
            near.fault(key, "is missing; a place has latitude, longitude (degrees) and radius (metres)")
        }
        let edge: CircularRegion.Edge = reader.choice("edge") ?? .entry
        let dwell = reader.duration("dwell") ?? .zero
        let during = window()
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

    /// A calendar expression whose matching minutes are the window.
    private func window() -> String? {
        guard let text = reader.text("during") else { return nil }
        do throws(RecurrenceError) {
            _ = try CalendarExpression(parsing: text)
            return text
        } catch {
            reader.collector.add(error.message, at: reader.path("during"), reader.place("during")?.node.offset ?? 0)
            return nil
        }
    }
}
