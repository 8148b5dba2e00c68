import Belfry
import BelfryRecurrence
import Foundation

/// What the alarms of one event have in common.
private struct AlarmedEvent {
    let component: CalendarFile.Component
    let uid: String
    let start: CalendarTime
    /// From the start to the end.
    let length: CalendarDuration
    /// RRULE, RDATE and EXDATE, as lines; empty for an event that comes once.
    var rule: [String] = []
    /// What the rule counts from: the start, but for an event that has the later occurrences of another one.
    var ruleStart: CalendarTime
    /// From the rule's occurrences to the event's.
    var shift = CalendarDuration()
    /// The first and the last occurrence of the rule that are the event's, where others have the rest.
    var starting: Date?
    var until: Date?
}

extension ScheduleReading {
    /// The alarms (VALARM) of the events and tasks of an iCalendar file, RFC 5545, 3.6.6.
    mutating func readCalendar(_ bytes: [UInt8]) {
        let file = CalendarFile(bytes, collector)
        guard !isFull(file.events.reduce(0) { $0 + $1.alarms.count }, "the calendar", 0) else { return }
        let zones = CalendarZones(file.zones)
        let changes = CalendarChanges(file.events, zones, or: zone)
        for event in file.events where !event.alarms.isEmpty {
            if let reason = event.endReason {
                warnings.append("\(title(of: event)): it is \(reason), and its alarms are left out.")
                continue
            }
            guard let alarmed = readEvent(event, zones, changes) else { continue }
            for (number, alarm) in event.alarms.enumerated() { readAlarm(alarm, number + 1, of: alarmed, zones) }
        }
        if entries.isEmpty, collector.isEmpty { warnings.append("The calendar has no alarm.") }
    }

    private func title(of event: CalendarFile.Component) -> String { event.line("SUMMARY")?.text ?? "An event" }

    private func fault(_ reason: String, _ path: String, _ offset: Int) {
        collector.add(reason, at: path, offset)
    }

    private func time(_ line: CalendarLine, _ path: String, _ zones: CalendarZones) -> CalendarTime? {
        switch CalendarTime.read(line, zones) {
        case .success(let time): return time
        case .failure(let reason):
            fault(reason.text, "\(path).\(line.name)", line.offset)
            return nil
        }
    }

    private func readEvent(
        _ event: CalendarFile.Component,
        _ zones: CalendarZones,
        _ changes: CalendarChanges
    ) -> AlarmedEvent? {
        let path = event.kind
        guard let uid = event.line("UID")?.value, !uid.isEmpty else {
            fault("is missing; an event needs one, so that it can be told from others", "\(path).UID", event.offset)
            return nil
        }
        guard let start = readStart(event, zones) else { return nil }
        var length = CalendarDuration(days: start.isDate && event.kind == "VEVENT" ? 1 : 0, seconds: 0)
        if let line = event.line(event.endName) {
            guard let end = time(line, path, zones) else { return nil }
            guard let from = start.instant(or: zone), let to = end.instant(or: zone) else { return nil }
            length =
                start.isDate
                ? CalendarDuration(days: Int((end.local.secondsAtUTC - start.local.secondsAtUTC) / 86_400), seconds: 0)
                : CalendarDuration(days: 0, seconds: Int(to.timeIntervalSince(from)))
        } else if let line = event.line("DURATION") {
            guard let duration = CalendarDuration(line.value) else {
                fault("'\(line.value.clipped)' is no duration such as PT1H", "\(path).DURATION", line.offset)
                return nil
            }
            length = duration
        }
        var alarmed = AlarmedEvent(component: event, uid: uid, start: start, length: length, ruleStart: start)
        guard readRule(&alarmed, zones, changes) else { return nil }
        return alarmed
    }

    private func readStart(_ event: CalendarFile.Component, _ zones: CalendarZones) -> CalendarTime? {
        // A task may have an end alone.
        guard let line = event.line("DTSTART") ?? event.line(event.endName) else {
            fault("is missing; an alarm counts from it", "\(event.kind).DTSTART", event.offset)
            return nil
        }
        return time(line, event.kind, zones)
    }

    /// The rule of an event, or of the one that it is the rest of. False where it can't be read.
    private func readRule(_ event: inout AlarmedEvent, _ zones: CalendarZones, _ changes: CalendarChanges) -> Bool {
        var source = event.component
        if let line = source.line("RECURRENCE-ID") {
            guard source.isOnward else { return true }
            guard let turn = time(line, source.kind, zones), let date = turn.instant(or: zone) else {
                return false
            }
            event.until = changes.end(of: event.uid, since: date)
            if let whole = changes.whole(of: source) {
                guard let start = readStart(whole, zones) else { return false }
                source = whole
                event.ruleStart = start
                event.starting = date
                event.shift = CalendarDuration(from: turn, to: event.start, or: zone)
            }
        } else {
            event.until = changes.end(of: event.uid, since: nil)
        }
        event.rule = source.all("RRULE").map { "RRULE:\($0.value)" }
        for line in source.all("RDATE") + source.all("EXDATE") { event.rule += dates(line, event.ruleStart, zones) }
        if !event.rule.isEmpty { event.rule += changes.exceptions(of: event.uid) }
        return true
    }

    /// In the zone that the line names, as times of day where they are bare dates.
    private func dates(_ line: CalendarLine, _ start: CalendarTime, _ zones: CalendarZones) -> [String] {
        line.value.split(separator: ",").compactMap { value in
            // Of a period its beginning.
            let date = value.split(separator: "/").first.map(String.init) ?? ""
            switch CalendarTime.read(date, line, zones) {
            case .failure(let reason):
                fault(reason.text, line.name, line.offset)
                return nil
            case .success(let time):
                guard time.isDate else { return time.line(line.name) }
                var local = start.local
                (local.year, local.month, local.day) = (time.local.year, time.local.month, time.local.day)
                return CalendarTime(local: local, zone: start.zone, isDate: false).line(line.name)
            }
        }
    }

    private mutating func readAlarm(
        _ alarm: CalendarFile.Component,
        _ number: Int,
        of event: AlarmedEvent,
        _ zones: CalendarZones
    ) {
        let path = "\(event.uid.clipped).VALARM[\(number - 1)]"
        let action = alarm.line("ACTION")?.value.uppercased() ?? "DISPLAY"
        guard action == "DISPLAY" || action == "AUDIO" else {
            warnings.append("\(title(of: event.component)): an alarm of the kind \(action) is left out.")
            return
        }
        guard let trigger = alarm.line("TRIGGER") else { return fault("has no TRIGGER", path, alarm.offset) }
        let times = readRepeats(alarm, path)
        var request = NoticeRequest(id: "", content: content(of: alarm, event), languages: options.languages)
        if action == "AUDIO" { request.content.sound = .standard }
        let changed = event.component.line("RECURRENCE-ID").map { "/\($0.value)" } ?? ""
        for (index, extra) in times.enumerated() {
            guard let plan = plan(trigger, plus: extra, event, path, zones) else { return }
            let id = "\(event.uid)\(changed)/\(number)" + (index == 0 ? "" : "+\(index)")
            let said =
                ["DTSTART", "DTEND", "DUE", "DURATION", "SUMMARY", "LOCATION"]
                .compactMap { event.component.line($0) } + alarm.lines
            let bounds = [event.starting, event.until].compactMap { $0.map { "\($0.timeIntervalSince1970)" } }
            let texts =
                said.map { "\($0.name)\($0.parameters.sorted { $0.key < $1.key }):\($0.value)" } + event.rule + bounds
            let place = NodePosition(node: JSONNode(value: .null, offset: alarm.offset), path: path)
            take(place, id: id, fingerprint: Fingerprint.of(texts.joined(separator: "\n"), languageMark), request, plan)
        }
    }

    /// The spans after the first showing at which an alarm comes again, itself first.
    private func readRepeats(_ alarm: CalendarFile.Component, _ path: String) -> [CalendarDuration] {
        let once = CalendarDuration(days: 0, seconds: 0)
        guard let line = alarm.line("REPEAT"), let count = Int(line.value), count > 0 else { return [once] }
        guard count <= 100, let text = alarm.line("DURATION")?.value, let span = CalendarDuration(text) else {
            fault("needs a DURATION beside it, and is 100 at most", "\(path).REPEAT", line.offset)
            return [once]
        }
        return (0...count).map { CalendarDuration(days: span.days * $0, seconds: span.seconds * $0) }
    }

    private func content(of alarm: CalendarFile.Component, _ event: AlarmedEvent) -> NoticeContent {
        let summary = event.component.line("SUMMARY")?.text ?? ""
        let description = alarm.line("DESCRIPTION")?.text ?? ""
        let location = event.component.line("LOCATION")?.text ?? ""
        let body = description == summary || description.isEmpty ? location : description
        let title = summary.isEmpty ? (body.isEmpty ? "Reminder" : body) : summary
        return NoticeContent(title: title, body: body == title ? "" : body)
    }

    private func plan(
        _ line: CalendarLine,
        plus extra: CalendarDuration,
        _ event: AlarmedEvent,
        _ path: String,
        _ zones: CalendarZones
    ) -> NoticePlan? {
        if line.parameters["VALUE"]?.uppercased() == "DATE-TIME" {
            guard let time = time(line, path, zones), let instant = time.instant(or: zone) else { return nil }
            return .trigger(DateTrigger(date: instant.addingTimeInterval(Double(extra.days * 86_400 + extra.seconds))))
        }
        guard var offset = CalendarDuration(line.value) else {
            fault("'\(line.value.clipped)' is no duration such as -PT15M", "\(path).TRIGGER", line.offset)
            return nil
        }
        if line.parameters["RELATED"]?.uppercased() == "END" { offset = offset + event.length }
        offset = offset + extra + event.shift
        let rule = event.rule.isEmpty ? ["RRULE:FREQ=DAILY;COUNT=1"] : event.rule
        do throws(NoticeError) {
            return .trigger(
                try RecurrenceTrigger(
                    .rrule(([event.ruleStart.line("DTSTART")] + rule).joined(separator: "\n")),
                    zone: event.ruleStart.zone.map { .named($0.identifier) } ?? .floating,
                    starting: event.starting,
                    until: event.until,
                    offset: RecurrenceTrigger.Offset(days: offset.days, seconds: offset.seconds)
                )
            )
        } catch {
            fault(error.message, path, event.component.line("RRULE")?.offset ?? event.component.offset)
            return nil
        }
    }
}
