import Belfry
import BelfryRecurrence
import FoundationEssentials

extension ScheduleReading {
    /// The maximum size in bytes of the rules and texts that notices copy from their events.
    private static let maximumCopies = 4 << 20

    /// Reads the alarms (VALARM) of the events and tasks of an iCalendar file, RFC 5545, 3.6.6.
    mutating func readCalendar(_ bytes: [UInt8]) {
        let file = CalendarFile(bytes, or: zone, collector)
        guard !isFull(file.events.reduce(0) { $0 + $1.noticeCount }, "the calendar", 0) else { return }
        let changes = CalendarChanges(file)
        var room = Self.maximumCopies
        for event in file.events where !event.parts.isEmpty {
            // Each of the events that are left may look through a long list, and none of their errors is reported.
            guard !collector.isFull else { break }
            if let reason = changes.endReason(of: event) {
                warnings.append("\(title(of: event)): it is \(reason), and its alarms are left out.")
                continue
            }
            do throws(CalendarError) {
                var alarmed = try AlarmedEvent(event, changes, in: file.zones, room: &room, collector)
                for (index, alarm) in event.parts.enumerated() {
                    do throws(CalendarError) { try readAlarm(alarm, index, of: &alarmed, file.zones) } catch {
                        add(error)
                    }
                }
            } catch { add(error) }
        }
        if entries.isEmpty, collector.isEmpty { warnings.append("The calendar has no alarm.") }
    }

    private func add(_ error: CalendarError) { collector.add(error.message, at: error.path, error.offset) }

    private func title(of event: CalendarFile.Component) -> String { event.line("SUMMARY")?.text ?? "An event" }

    private mutating func readAlarm(
        _ alarm: CalendarFile.Component,
        _ index: Int,
        of event: inout AlarmedEvent,
        _ zones: CalendarZones
    ) throws(CalendarError) {
        let path = "\(event.uid.clipped).VALARM[\(index)]"
        let action = alarm.line("ACTION")?.value.uppercased() ?? "DISPLAY"
        guard action == "DISPLAY" || action == "AUDIO" else {
            warnings.append("\(title(of: event.component)): an alarm of the kind \(action) is left out.")
            return
        }
        guard let trigger = alarm.line("TRIGGER") else {
            throw CalendarError(message: "has no TRIGGER", path: path, offset: alarm.offset)
        }
        var request = NoticeRequest(id: "", content: content(of: alarm, event.component), languages: options.languages)
        if action == "AUDIO" { request.content.sound = .standard }
        let delays = repeats(of: alarm, path)
        let date = try date(of: trigger, path, zones)
        if date == nil, trigger.countsFromEnd, event.hasPeriods {
            // A trigger has one offset for all dates.
            warnings.append(
                "\(title(of: event.component)): an alarm counts from the end of its event; the length of added periods "
                    + "(RDATE) is ignored."
            )
        }
        var meaning = (event.described + alarm.lines).map(\.content) + event.meaning
        if let date { meaning.append("\(date.timeIntervalSince1970)") }
        let fingerprint = Fingerprint.of(meaning.joined(separator: "\n"), languageMark)
        let changed = event.component.line("RECURRENCE-ID").map { "/\($0.value)" } ?? ""
        for (number, delay) in delays.enumerated() {
            let trigger = try noticeTrigger(trigger, at: date, delay, &event, path)
            append(
                NodePosition(node: JSONNode(value: .null, offset: alarm.offset), path: path),
                id: "\(event.uid)\(changed)/\(index + 1)" + (number == 0 ? "" : "+\(number)"),
                fingerprint: fingerprint,
                request,
                .alarm(trigger)
            )
        }
    }

    /// Returns the delays at which an alarm repeats after it is first shown, beginning with zero.
    private func repeats(of alarm: CalendarFile.Component, _ path: String) -> [RecurrenceTrigger.Offset] {
        let first = RecurrenceTrigger.Offset()
        guard let line = alarm.line("REPEAT"), alarm.repeatCount != 0 else { return [first] }
        guard let count = alarm.repeatCount else {
            let message =
                "'\(line.value.clipped)' is no number of repeats, 0 to \(CalendarFile.Component.maximumRepeatCount)"
            collector.add(message, at: "\(path).REPEAT", line.offset)
            return [first]
        }
        guard let duration = alarm.line("DURATION") else {
            collector.add("needs a DURATION beside it, such as PT5M", at: "\(path).REPEAT", line.offset)
            return [first]
        }
        do throws(CalendarError) {
            let span = try RecurrenceTrigger.Offset(duration, of: path, example: "PT5M")
            return (0...count).map { span * $0 }
        } catch {
            add(error)
            return [first]
        }
    }

    private func content(of alarm: CalendarFile.Component, _ event: CalendarFile.Component) -> NoticeContent {
        let (summary, description) = (event.text("SUMMARY"), alarm.text("DESCRIPTION"))
        let body = description == summary || description.isEmpty ? event.text("LOCATION") : description
        let title = summary.isEmpty ? (body.isEmpty ? "Reminder" : body) : summary
        return NoticeContent(title: title, body: body == title ? "" : body)
    }

    /// Returns the date of a TRIGGER; nil if it counts from the event.
    private func date(
        of line: CalendarLine,
        _ path: String,
        _ zones: CalendarZones
    ) throws(CalendarError) -> Date? {
        guard line.isDateTime else { return nil }
        return try CalendarTime(line, of: path, in: zones).instant
    }

    private func noticeTrigger(
        _ line: CalendarLine,
        at date: Date?,
        _ delay: RecurrenceTrigger.Offset,
        _ event: inout AlarmedEvent,
        _ path: String
    ) throws(CalendarError) -> any NoticeTrigger {
        if let date {
            return DateTrigger(date: date.addingTimeInterval(Double(delay.days * 86_400 + delay.seconds)))
        }
        var offset = try RecurrenceTrigger.Offset(line, of: path, example: "-PT15M")
        if line.countsFromEnd { offset = offset + event.length }
        offset = offset + delay + event.shift
        do throws(NoticeError) {
            let occurrences = try event.occurrences.get()
            return RecurrenceTrigger(sharingRuleOf: occurrences, offset: offset)
        } catch {
            let offset = event.component.line("RRULE")?.offset ?? event.component.offset
            throw CalendarError(message: error.message, path: path, offset: offset)
        }
    }
}

extension CalendarFile.Component {
    fileprivate static let maximumRepeatCount = 100

    /// The number of times that an alarm is shown again; nil if it can't be read, or is too large.
    fileprivate var repeatCount: Int? {
        guard let line = line("REPEAT") else { return 0 }
        return Int(line.value).flatMap { (0...Self.maximumRepeatCount).contains($0) ? $0 : nil }
    }

    /// The number of notices of an alarm, or of all alarms of an event.
    var noticeCount: Int { kind == "VALARM" ? 1 + (repeatCount ?? 0) : parts.reduce(0) { $0 + $1.noticeCount } }
}
