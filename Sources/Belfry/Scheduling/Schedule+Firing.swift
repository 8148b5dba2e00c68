import BelfryRecurrence
import FoundationEssentials

/// The due times of a trigger from its deadline until now.
struct MissedFirings: Sendable, Equatable {
    /// The latest due time up to now, on the trigger's own clock.
    var latest: Int64
    /// The number of earlier due times.
    var missed: Int
    /// The first due time after now; nil if there is none.
    var next: Int64?
    /// The due time before the latest; nil if nothing was missed.
    var previous: Int64?
    /// Whether there may be later due times up to now, which the next turn looks for.
    var isUnfinished = false
    /// Whether the count leaves out dates.
    var isLowerBound = false

    /// The number of missed firings that are counted one by one.
    static let exactLimit = 1_000
    /// The number of dates evaluated after the leap. A denser trigger is not followed date by date.
    static let stepLimit = 10_000
    /// The number of missed dates that one turn evaluates, for all triggers with a count. These can't leap, and other
    /// centers share the thread: at a microsecond each, it takes some ten milliseconds.
    static let countLimit = 10_000
}

extension Schedule {
    /// Fires everything that is due, in the order of due times, then of adding.
    mutating func fireWhatIsDue() {
        if let paused = log.pausedUntil {
            guard paused <= now.boot else { return }
            log.endPause()
        }
        guard isRunning else { return }
        evaluateWaitingFixes()
        while let id = notices.takeRetry(dueAt: now.boot) { retry(id) }
        let firstEffect = log.current.effects.count
        let due = entries.takeDue(at: now)
        // A firing is two changes to the store, an entry and a notice to undo, and an order.
        log.current.reserveCapacity(records: 2 * due.count, undo: 2 * due.count, effects: due.count)
        notices.reserveCapacity(notices.count + due.count)
        let last = lastOfSeries(due)
        var countsLeft = MissedFirings.countLimit
        for item in due {
            if !last.isEmpty, let entry = entries[item.slot], let base = entry.series, last[base] != item.slot,
                !entry.repeats
            {
                let detail = "a later element of its series took its place"
                endRequest(entry.id, .missed, late: now.wall - item.deadline, detail: detail)
            } else {
                fire(item.slot, &countsLeft)
            }
        }
        endSnoozes()
        let firstReleased = log.current.effects.count
        endQuietHours()
        // Released last, since a new firing replaces a deferred one; shown first, since they were due before.
        log.current.swapEffects(from: firstEffect, with: firstReleased)
    }

    /// Returns the last due element of each series, by base. It represents all elements that are due together, like the
    /// latest firing of a repeating request.
    private func lastOfSeries(_ due: [DeadlineQueue.Item]) -> [String: Int32] {
        guard !entries.members.isEmpty else { return [:] }
        var last: [String: Int32] = [:]
        for item in due { if let base = entries[item.slot]?.series { last[base] = item.slot } }
        return last
    }

    /// - Parameter countsLeft: the rest of ``MissedFirings/countLimit`` in this turn.
    private mutating func fire(_ slot: Int32, _ countsLeft: inout Int) {
        guard var entry = entries[slot], let deadline = entry.deadline else { return }
        let found: MissedFirings
        let clockNow = entry.waitsOnBootClock ? now.boot : now.wall
        switch entry.timing {
        case .dormant: return
        case .region: return endDwell(slot)
        case .immediate:
            found = MissedFirings(latest: deadline, missed: 0, next: nil)
        case .elapsed(let interval, _, let times):
            let left = times - entry.progress.fired
            found = Self.missedIntervals(from: deadline, every: interval, until: clockNow, left: left)
        case .wallClock(let trigger, let times):
            do throws(NoticeError) {
                found = try missedDates(
                    of: trigger,
                    id: entry.id,
                    from: deadline,
                    until: clockNow,
                    left: times == .max ? .max : times - entry.progress.fired,
                    &countsLeft
                )
            } catch {
                endRequest(entry.id, .failed, detail: error.message, errorCode: error.code)
                return emit(.report(error))
            }
        }
        let missed = missedText(found, entry, since: deadline)
        if found.isUnfinished { return goOnCounting(entry, found, missed) }
        let late = clockNow - found.latest
        let dueAt = TriggerInstant(wall: now.wall - late, boot: now.boot - late)
        entry.count(found.missed + 1, until: dueAt.wall, in: context)
        entry.deadline = found.next
        conclude(slot, entry, dueAt: dueAt, late: late, goesOn: found.next != nil, missed: missed)
    }

    /// Counts the firings missed before the latest date. That date stays due, so that the next turn follows at once.
    private mutating func goOnCounting(_ entry: ScheduleEntry, _ found: MissedFirings, _ missed: String?) {
        var entry = entry
        if let previous = found.previous {
            entry.count(found.missed, until: previous, in: context)
            entry.deadline = found.latest
            store(.updateProgress(revision: entry.revision, entry.progress))
        }
        setEntry(entry)
        if let missed { record(entry.subject, .missed, detail: missed) }
    }

    private func missedText(_ found: MissedFirings, _ entry: ScheduleEntry, since deadline: Int64) -> String? {
        guard found.missed > 0 else { return nil }
        let wall = entry.waitsOnBootClock ? deadline - now.boot + now.wall : deadline
        let since = Date(microsecondsSince1970: wall).formatted(.iso8601)
        return "\(found.isLowerBound ? "at least " : "")\(found.missed) earlier firings since \(since)"
    }

    /// Continues or ends an entry whose firing has been counted. It is shown unless it is too late.
    mutating func conclude(
        _ slot: Int32,
        _ entry: ScheduleEntry,
        dueAt: TriggerInstant,
        late: Int64,
        goesOn: Bool,
        missed: String? = nil,
        crossing: CircularRegion.Crossing? = nil
    ) {
        let refusal = entry.traits.misfire.refusal(ofLate: late)
        let snoozedUntil = snoozeOver(entry, dueAt: dueAt)
        if goesOn {
            setEntry(entry)
            store(.updateProgress(revision: entry.revision, entry.progress))
        } else {
            removeEntry(slot, isShown: refusal == nil && snoozedUntil == nil)
        }
        if let missed { record(entry.subject, .missed, detail: missed) }
        let border = crossing.map { $0.detail + "; " } ?? ""
        if let refusal {
            record(entry.subject, .missed, late: late, detail: border + refusal)
        } else if let snoozedUntil {
            record(entry.subject, .missed, detail: "\(border)it was snoozed until \(Self.text(snoozedUntil))")
        } else {
            deliver(entry, dueAt: dueAt, crossing: crossing)
        }
    }

    /// Returns the local time of an instant, in seconds.
    static func local(_ wall: Int64, in context: TriggerContext) -> Int64 {
        let seconds = wall / 1_000_000 - (wall % 1_000_000 < 0 ? 1 : 0)
        return seconds + Int64(context.zone.offset(at: seconds))
    }

    /// Counts missed intervals. The phase is kept: firings are whole intervals after the deadline. O(1).
    static func missedIntervals(from deadline: Int64, every interval: Int64, until now: Int64, left: Int)
        -> MissedFirings
    {
        let passed = max(0, (now - deadline) / interval)
        let missed = min(passed, Int64(max(0, left - 1)))
        let latest = deadline + missed * interval
        let hasNext = Int64(left) - 1 > missed
        return MissedFirings(latest: latest, missed: Int(missed), next: hasNext ? latest + interval : nil)
    }

    /// Walks the dates from the deadline to now. Without a count it leaps close to now after
    /// ``MissedFirings/exactLimit`` dates; with one it stops when `countsLeft` is used up.
    func missedDates(
        of source: DateSource,
        id: String,
        from deadline: Int64,
        until now: Int64,
        left: Int,
        _ countsLeft: inout Int
    ) throws(NoticeError) -> MissedFirings {
        var found = MissedFirings(latest: deadline, missed: 0, next: nil)
        var steps = 0
        while found.missed < left - 1 {
            guard let next = try next(of: source, id: id, after: found.latest) else { return found }
            guard next <= now else {
                found.next = next
                return found
            }
            if left != .max {
                guard countsLeft > 0 else {
                    found.isUnfinished = true
                    return found
                }
                countsLeft -= 1
            }
            found.previous = found.latest
            found.latest = next
            found.missed += 1
            guard left == .max, found.missed >= MissedFirings.exactLimit else { continue }
            if found.missed == MissedFirings.exactLimit { leap(&found, source, until: now) }
            steps += 1
            if steps > MissedFirings.stepLimit {
                found.isLowerBound = true
                found.next = try self.next(of: source, id: id, after: now)
                return found
            }
        }
        return found
    }

    /// Returns the trigger's next date, which must be at least a microsecond later.
    private func next(
        of source: DateSource,
        id: String,
        after latest: Int64
    ) throws(NoticeError) -> Int64? {
        guard let next = source.next(after: latest, in: context) else { return nil }
        guard next > latest else { throw Self.notAdvancing(id, source) }
        return next
    }

    /// Skips to the last due times before now, by searching in growing spans before now.
    private func leap(_ found: inout MissedFirings, _ source: DateSource, until now: Int64) {
        var span: Int64 = 60_000_000
        while span < now - found.latest {
            let start = now - span
            if let close = source.next(after: start, in: context), close <= now, close > start {
                found.isLowerBound = true
                found.latest = close
                return
            }
            span *= 2
        }
    }
}

extension ScheduleEntry {
    /// Counts more firings, the last of them due at an instant.
    mutating func count(_ firings: Int, until wall: Int64, in context: TriggerContext) {
        progress.fired += firings
        progress.lastDue = wall
        progress.lastLocal = localTime(of: wall, in: context)
    }

    /// Returns the local time of a firing, in seconds. If a clock change skipped it and moved the firing before or
    /// behind the gap, it is not what the clock showed: another zone has that time, or another gap.
    private func localTime(of wall: Int64, in context: TriggerContext) -> Int64 {
        let local = Schedule.local(wall, in: context)
        guard case .wallClock(.calendar(let rule, _, floats: true), _) = timing,
            !context.zone.isCalm(around: wall / 1_000_000)
        else { return local }
        func next(after second: Int64) -> Int64? {
            rule.next(after: second * 1_000_000, in: .utc).map { $0 / 1_000_000 }
        }
        let nominal: Int64?
        switch rule.policies.missingTime {
        case .shiftBackward: nominal = next(after: local)
        // No gap is longer than a day. A time that the clock showed is its own.
        case .shiftForward: nominal = next(after: local - 1) == local ? nil : next(after: local - 86_400)
        default: nominal = nil
        }
        guard let nominal, case .skipped(_, let before, let after) = context.zone.instants(ofLocal: nominal) else {
            return local
        }
        let offset = rule.policies.missingTime == .shiftBackward ? after : before
        return (nominal - Int64(offset)) * 1_000_000 == wall ? nominal : local
    }
}
