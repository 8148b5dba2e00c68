import BelfryRecurrence
import Foundation

extension Schedule {
    /// A clock set back by more than this was wrong before: marks of earlier firings are forgotten.
    static let implausibleSetback: Int64 = 24 * 3_600 * 1_000_000

    /// The wall clock was set. Boot deadlines don't move; wall deadlines are planned anew, and fire nothing twice.
    mutating func clockWasSet() {
        batch.isFact = true
        let jump = (now.wall - now.boot) - wallOffset
        positions.lastAt = positions.lastAt.map { $0 + jump }
        storeMapping()
        if jump < 0 { pullBackMarks(setBackBy: -jump) }
        replanWallEntries(after: now.wall, onlyFloating: false)
        reconsiderQuiet()
    }

    /// True where the wall clock differs from what it was when it was last known to be set, by more than a second that
    /// slewing and leap seconds explain.
    func wasClockSet(at instant: TriggerInstant) -> Bool {
        (instant.wall - instant.boot - wallOffset).magnitude > 1_000_000
    }

    /// Marks that lie ahead of the clock: those of firings stay for a day, so that nothing fires twice, and no longer; a
    /// request that has not fired counts as added now. Stored, since a restart plans by them.
    private mutating func pullBackMarks(setBackBy jump: Int64) {
        var (forgotten, changed): (Int, [StoreChange]) = (0, [])
        let (present, forgetsAll) = (now.wall, jump > Self.implausibleSetback)
        entries.updateAll { _, entry in
            guard !entry.waitsOnBootClock else { return }
            let (wasForgotten, wasMoved) = entry.progress.pullBack(to: present, forgettingAll: forgetsAll)
            if wasForgotten { forgotten += 1 }
            if wasForgotten || wasMoved {
                changed.append(.updateProgress(revision: entry.revision, entry.progress))
            }
        }
        batch.changes.append(contentsOf: changed)
        if forgetsAll || forgotten > 0 { recordForgotten(forgotten, setBackBy: jump) }
    }

    mutating func recordForgotten(_ count: Int, setBackBy jump: Int64) {
        let hours = jump / 3_600_000_000
        record("", .clockReset, detail: "the clock was set back by \(hours) h: \(count) marks were forgotten")
    }

    /// The traveller: what floats follows the new zone. Going east, local times that were jumped over are due at once;
    /// going west, local times that fired already don't fire again.
    mutating func zoneChanged(to zone: ZoneRules) {
        batch.isFact = true
        let second = now.wall / 1_000_000
        let shift = Int64(zone.offset(at: second) - context.zone.offset(at: second)) * 1_000_000
        context.zone = zone
        storeMapping()
        replanWallEntries(after: now.wall - max(0, shift), onlyFloating: true)
        replanSnoozes()
        reconsiderQuiet()
    }

    /// What the next firing must come after: the last one. Of a trigger that floats, and has fired in another zone, the
    /// local time of that in the zone of now: west of there it has yet to pass again, east of there local times were
    /// jumped over that lie before the last firing.
    func mark(_ entry: ScheduleEntry, _ source: DateSource) -> Int64? {
        Self.mark(entry.progress, floats: source.followsSystemZone, in: context)
    }

    fileprivate static func mark(_ progress: TriggerProgress, floats: Bool, in context: TriggerContext) -> Int64? {
        guard let due = progress.lastDue else { return nil }
        let zone = context.zone
        guard floats, let local = progress.lastLocal, local != Self.local(due, in: context) else { return due }
        let guess = local - Int64(zone.offset(at: local))
        return (local - Int64(zone.offset(at: guess))) * 1_000_000
    }

    /// Gives wall-clock entries the first due time after `base`, after they were added and after their mark. What is due
    /// already stays due. O(n), and memory is read in the order in which it lies.
    private mutating func replanWallEntries(after base: Int64, onlyFloating: Bool) {
        let (context, present) = (context, now.wall)
        // Asked once for each rule: its first date after `base` is also the first after any later instant before that date.
        let dates = rules.dates(after: base, in: context, onlyFloating: onlyFloating)
        var items: [DeadlineQueue.Item] = []
        items.reserveCapacity(wallQueue.count)
        entries.updateAll { slot, entry in
            guard let deadline = entry.deadline, !entry.waitsOnBootClock else { return }
            if deadline > present {
                if let rule = entry.rule {
                    if let first = dates[Int(rule.number)] {
                        entry.replan(first: first, floats: rule.floats, after: base, in: context)
                    }
                } else {
                    entry.replan(after: base, onlyFloating: onlyFloating, in: context)
                }
            }
            items.append(.init(deadline: entry.deadline ?? deadline, order: entry.revision, slot: slot))
        }
        wallQueue = DeadlineQueue(items)
    }

    mutating func storeMapping() {
        wallOffset = now.wall - now.boot
        let mapping = ClockMapping(bootID: bootID, instant: now, zone: context.zone.identifier)
        batch.changes.append(.putClockMapping(mapping))
    }
}

extension ScheduleEntry {
    fileprivate mutating func replan(after base: Int64, onlyFloating: Bool, in context: TriggerContext) {
        // A one-shot that the new clock has left behind stays as it was planned: it is late, not lost.
        guard case .wallClock(.other(let other), _) = timing else { return }
        let floats = other.trigger.followsSystemZone
        guard floats || !onlyFloating, let first = DateSource.other(other).next(after: base, in: context) else {
            return
        }
        replan(first: first, floats: floats, after: base, in: context)
    }

    /// - Parameter first: the trigger's first date after `base`.
    fileprivate mutating func replan(first: Int64, floats: Bool, after base: Int64, in context: TriggerContext) {
        let floor = max(base, progress.anchor, Schedule.mark(progress, floats: floats, in: context) ?? .min)
        if first > floor {
            deadline = first
        } else if case .wallClock(let source, _) = timing, let next = source.next(after: floor, in: context),
            next > floor
        {
            deadline = next
        }
    }
}

extension TriggerProgress {
    /// Takes back marks that lie ahead of the wall clock: of a firing, where they are more than a day ahead or
    /// `forgettingAll`; of the adding, always.
    mutating func pullBack(to present: Int64, forgettingAll: Bool) -> (wasForgotten: Bool, wasMoved: Bool) {
        var result = (wasForgotten: false, wasMoved: false)
        if let mark = lastDue, forgettingAll || mark - Schedule.implausibleSetback > present {
            lastDue = nil
            lastLocal = nil
            result.wasForgotten = true
        }
        if anchor > present {
            anchor = present
            result.wasMoved = true
        }
        return result
    }
}
