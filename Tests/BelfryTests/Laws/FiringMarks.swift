import BelfryRecurrence
import Foundation

@testable import Belfry

/// When each request was added and fired last, to see that nothing fires twice, out of phase or never.
struct FiringMarks {
    private struct Mark {
        var wall: Int64
        var local: Int64
    }

    /// True time of the adding, by revision.
    var added: [Int64: Int64] = [:]
    /// The local time of the adding, in seconds: gone where the clock was set back since.
    private var addedLocal: [Int64: Int64] = [:]
    private var marks: [Int64: Mark] = [:]
    private var steps: [Int64: Int64] = [:]
    private var once: Set<Int64> = []
    private var counts: [Int64: Int] = [:]

    /// A revision whose commit failed is given out anew after a restart.
    mutating func add(_ revision: Int64, at truth: Int64, local: Int64) {
        added[revision] = truth
        addedLocal[revision] = local
    }

    /// What is wrong with a firing, or nil.
    mutating func fire(
        _ record: DeliveryRecord,
        _ request: NoticeRequest,
        bootedAt: Int64,
        zone: ZoneRules
    ) -> String? {
        let revision = record.revision
        // Put off by the user: due when that ends, whatever the request's own dates are.
        if record.snoozes > 0 { return nil }
        // Brought by one that has been looked at by itself.
        if record.summary != nil { return nil }
        let name = "'\(request.id)' (\(revision))"
        switch request.trigger {
        case let trigger as IntervalTrigger:
            guard let start = added[revision] else { return "\(name) fired and was never added" }
            let elapsed = record.dueAt.boot + bootedAt - start
            let interval = trigger.interval.microseconds
            guard elapsed % interval == 0 else { return "\(name) lost its phase: \(elapsed) of \(interval)" }
            let step = elapsed / interval
            if let last = steps[revision], step <= last { return "\(name) fired its step \(step) after \(last)" }
            steps[revision] = step
            if !trigger.repeats, step != 1 { return "\(name) fired at step \(step)" }
            if let times = trigger.count, step > Int64(times) - (trigger.startsNow ? 1 : 0) {
                return "\(name) fired too often"
            }
        case let trigger as CalendarTrigger:
            let mark = Mark(wall: record.dueAt.wall, local: record.dueAt.wall + zoneShift(zone, record.dueAt.wall))
            defer { marks[revision] = mark }
            guard let last = marks[revision] else { return nil }
            if !trigger.repeats { return "\(name) fired twice" }
            counts[revision, default: 1] += 1
            if let times = trigger.count, counts[revision, default: 1] > times { return "\(name) fired too often" }
            let isLater = trigger.followsSystemZone ? mark.local > last.local : mark.wall > last.wall
            if !isLater { return "\(name) fired for \(mark) after \(last)" }
        case let trigger as DateTrigger:
            guard record.dueAt.wall == trigger.date.microsecondsSince1970 else {
                return "\(name) fired for another date"
            }
            if !once.insert(revision).inserted { return "\(name) fired twice" }
        case let trigger as LocationTrigger:
            if !trigger.repeats, !once.insert(revision).inserted { return "\(name) fired twice" }
            guard let crossing = record.crossing, trigger.edge.includes(crossing) else {
                return "\(name) fired for another edge than its own"
            }
        default:
            if !once.insert(revision).inserted { return "\(name) fired twice" }
        }
        return nil
    }

    private func zoneShift(_ zone: ZoneRules, _ wall: Int64) -> Int64 {
        Int64(zone.offset(at: wall / 1_000_000)) * 1_000_000
    }

    /// The clock was set back by more than a day, or is that far behind a mark: what is ahead of it may fire again, and
    /// nothing else.
    mutating func setBack(by jump: Int64, to wall: Int64, zone: ZoneRules) {
        if jump > 0 { addedLocal = [:] }
        let limit = wall + (jump > ScheduleDriver.day ? 0 : ScheduleDriver.day)
        for (revision, mark) in marks where mark.wall > limit {
            marks[revision] = Mark(wall: wall, local: wall + zoneShift(zone, wall))
        }
    }

    /// What is wrong with when a pending request fires next, or nil.
    func wrongDeadline(of entry: ScheduleEntry, in schedule: Schedule, now: TriggerInstant, bootedAt: Int64) -> String?
    {
        let name = "'\(entry.id)' (\(entry.revision))"
        switch entry.timing {
        case .immediate, .dormant, .region: return nil
        case .elapsed(let interval, let startsNow, _):
            guard let start = added[entry.revision], let deadline = entry.deadline else {
                return "\(name) has no deadline"
            }
            let due = start + interval * Int64(entry.progress.fired + (startsNow ? 0 : 1)) - bootedAt
            return due == deadline ? nil : "\(name) waits for \(deadline) instead of \(due)"
        case .wallClock(let source, _):
            guard let deadline = entry.deadline else { return "\(name) has no deadline" }
            if case .date(let date) = source { return date == deadline ? nil : "\(name) moved its date" }
            let mark = schedule.floor(of: entry, source)
            // A day for the clock, another for a journey around the world.
            if mark > now.wall + 2 * ScheduleDriver.day + ScheduleDriver.day / 4 {
                return "\(name) is silenced until \(mark)"
            }
            // What is due already came due in the zone of then, and stays due in the one of now.
            if deadline > now.wall, entry.progress.fired == 0, source.followsSystemZone,
                let local = addedLocal[entry.revision],
                let first = source.next(after: wall(ofLocal: local, in: schedule), in: schedule.context),
                deadline > first
            {
                return "\(name) was added at \(local) local time, leaves out \(first), waits for \(deadline)"
            }
            guard let next = source.next(after: max(now.wall, mark), in: schedule.context) else { return nil }
            return deadline <= next ? nil : "\(name) leaves out \(next), waits for \(deadline)"
        }
    }

    /// The zones of the driver are the same all year.
    private func wall(ofLocal local: Int64, in schedule: Schedule) -> Int64 {
        (local - Int64(schedule.context.zone.offset(at: local))) * 1_000_000
    }
}
