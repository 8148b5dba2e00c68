import BelfryRecurrence
import Foundation

extension Schedule {
    /// A clock set back by more than this was wrong before: marks of earlier firings are forgotten.
    static let implausibleSetback: Int64 = 24 * 3_600 * 1_000_000

    /// The wall clock was set. Boot deadlines don't move; wall deadlines are planned anew, and fire nothing twice.
    mutating func clockWasSet() {
        batch.isFact = true
        let jump = (now.wall - now.boot) - wallOffset
        storeMapping()
        if jump < 0 { pullBackMarks(setBackBy: -jump) }
        let planned = replanned { _ in
            true
        } floor: {
            max(now.wall, mark($0, $1) ?? .min)
        }
        setWallDeadlines(planned)
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
        let planned = replanned {
            $0.followsSystemZone
        } floor: { entry, trigger in
            max(now.wall - max(0, shift), entry.progress.anchor, mark(entry, trigger) ?? .min)
        }
        setWallDeadlines(planned)
    }

    /// What the next firing must come after: the last one. Of a trigger that floats, and has fired in another zone, the
    /// local time of that in the zone of now: west of there it has yet to pass again, east of there local times were
    /// jumped over that lie before the last firing.
    func mark(_ entry: ScheduleEntry, _ trigger: any WallClockTrigger) -> Int64? {
        guard let due = entry.progress.lastDue else { return nil }
        let zone = context.zone
        guard trigger.followsSystemZone, let local = entry.progress.lastLocal, local != Self.local(due, in: context)
        else { return due }
        let guess = local - Int64(zone.offset(at: local))
        return (local - Int64(zone.offset(at: guess))) * 1_000_000
    }

    /// The first due times of wall-clock entries after their floor, by slot. What is due already stays due. O(n).
    private func replanned(
        where isMeant: (any WallClockTrigger) -> Bool,
        floor: (ScheduleEntry, any WallClockTrigger) -> Int64
    ) -> [Int32: Int64] {
        var planned: [Int32: Int64] = [:]
        wallQueue.forEach { item in
            guard item.deadline > now.wall, let entry = entries[item.slot],
                case .wallClock(let trigger, _) = entry.timing, isMeant(trigger)
            else { return }
            let after = Date(microsecondsSince1970: floor(entry, trigger))
            // A one-shot that the new clock has left behind stays as it was planned: it is late, not lost.
            guard let next = trigger.nextDate(after: after, in: context), next > after else { return }
            planned[item.slot] = next.microsecondsSince1970
        }
        return planned
    }

    private mutating func setWallDeadlines(_ planned: [Int32: Int64]) {
        entries.updateAll { slot, entry in entry.deadline = planned[slot] ?? entry.deadline }
        wallQueue.replan { planned[$0.slot] ?? $0.deadline }
    }

    mutating func storeMapping() {
        wallOffset = now.wall - now.boot
        let mapping = ClockMapping(bootID: bootID, instant: now, zone: context.zone.identifier)
        batch.changes.append(.putClockMapping(mapping))
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
