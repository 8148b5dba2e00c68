import BelfryRecurrence
import Foundation

extension Schedule {
    /// A clock set back by more than this was wrong before: marks of earlier firings are forgotten.
    static let implausibleSetback: Int64 = 24 * 3_600 * 1_000_000

    /// The wall clock was set. Boot deadlines don't move; wall deadlines are planned anew, and fire nothing twice.
    mutating func clockWasSet(from before: TriggerInstant) {
        batch.isFact = true
        storeMapping()
        let jump = (now.wall - before.wall) - (now.boot - before.boot)
        if jump < -Self.implausibleSetback { forgetMarks(setBackBy: -jump) }
        replanWallEntries { _ in true } floor: { [now] in max(now.wall, $0.progress.lastDue ?? .min) }
    }

    private mutating func forgetMarks(setBackBy jump: Int64) {
        var forgotten = 0
        entries.updateAll { _, entry in
            if entry.progress.lastDue != nil { forgotten += 1 }
            entry.progress.lastDue = nil
            entry.progress.lastLocal = nil
        }
        let hours = jump / 3_600_000_000
        record("", .clockReset, detail: "the clock was set back by \(hours) h: \(forgotten) marks were forgotten")
    }

    /// The traveller: what floats follows the new zone. Going east, local times that were jumped over are due at once;
    /// going west, local times that fired already don't fire again.
    mutating func zoneChanged(to zone: ZoneRules) {
        batch.isFact = true
        let second = now.wall / 1_000_000
        let shift = Int64(zone.offset(at: second) - context.zone.offset(at: second)) * 1_000_000
        context.zone = zone
        storeMapping()
        replanWallEntries {
            $0.followsSystemZone
        } floor: { [now, context] entry in
            let base = max(now.wall - max(0, shift), entry.progress.anchor)
            return max(base, Self.instantOfLastLocal(entry.progress, in: context) ?? .min)
        }
    }

    /// Where the local time of the last firing lies in the zone of now.
    static func instantOfLastLocal(_ progress: TriggerProgress, in context: TriggerContext) -> Int64? {
        guard let local = progress.lastLocal else { return nil }
        let guess = local - Int64(context.zone.offset(at: local))
        return (local - Int64(context.zone.offset(at: guess))) * 1_000_000
    }

    /// Gives wall-clock entries the first due time after their floor. What is due already stays due. O(n).
    private mutating func replanWallEntries(
        where isMeant: (any WallClockTrigger) -> Bool, floor: (ScheduleEntry) -> Int64
    ) {
        let (context, present) = (context, now.wall)
        var planned: [Int32: Int64?] = [:]
        entries.updateAll { slot, entry in
            guard case .wallClock(let trigger, _) = entry.timing, isMeant(trigger) else { return }
            if let deadline = entry.deadline, deadline <= present { return }
            let after = Date(microsecondsSince1970: floor(entry))
            let next = trigger.nextDate(after: after, in: context).flatMap { $0 > after ? $0 : nil }
            // A one-shot that the new clock has left behind stays as it was planned: it is late, not lost.
            entry.deadline = next?.microsecondsSince1970 ?? entry.deadline
            planned[slot] = entry.deadline
        }
        wallQueue.replan { planned[$0.slot] ?? $0.deadline }
    }

    mutating func storeMapping() {
        let mapping = ClockMapping(bootID: bootID, instant: now, zone: context.zone.identifier)
        batch.changes.append(.putClockMapping(mapping))
    }
}
