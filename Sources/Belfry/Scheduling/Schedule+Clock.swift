import BelfryRecurrence
import FoundationEssentials

extension Schedule {
    /// A clock that is set back by more than this was wrong before: marks of earlier firings are then removed.
    static let implausibleSetback: Int64 = 24 * 3_600 * 1_000_000

    /// Handles a change of the wall clock. Boot deadlines stay; wall deadlines are replanned, and nothing fires twice.
    mutating func clockWasSet() {
        let jump = clock.jump
        positions.lastAt = positions.lastAt.map { $0 + jump }
        store(.putClockMapping(clock.map()))
        if jump < 0 { pullBackMarks(setBackBy: -jump) }
        replanWallEntries(floatingAfter: now.wall)
        reconsiderDoubt(afterJump: jump)
        reconsiderQuiet()
    }

    /// Corrects marks ahead of the clock. Marks of firings stay for at most a day, so that nothing fires twice; a
    /// request that has not fired counts as added now. The result is stored, because a restart plans by the marks.
    private mutating func pullBackMarks(setBackBy jump: Int64) {
        var (forgotten, changed): (Int, [StoreChange]) = (0, [])
        let (present, context, forgetsAll) = (now.wall, context, jump > Self.implausibleSetback)
        entries.updateAll { _, entry in
            guard !entry.waitsOnBootClock else { return }
            let (wasForgotten, wasMoved) = entry.pullBack(to: present, forgettingAll: forgetsAll, in: context)
            if wasForgotten { forgotten += 1 }
            if wasForgotten || wasMoved {
                changed.append(.updateProgress(revision: entry.revision, entry.progress))
            }
        }
        changed.forEach { store($0) }
        if forgetsAll || forgotten > 0 { recordForgotten(forgotten, setBackBy: jump) }
    }

    mutating func recordForgotten(_ count: Int, setBackBy jump: Int64) {
        let hours = jump / 3_600_000_000
        let detail = "the clock was set back by \(hours) h; marks forgotten: \(count)"
        record((id: "", thread: nil), .clockReset, detail: detail)
    }

    /// Handles a change of the zone, or of the zone data: floating times follow it. Going east, local times that were
    /// skipped are due at once. Going west, local times that have fired don't fire again.
    mutating func zoneChanged(to zone: ZoneRules) {
        // The farthest that a local time can have moved: near a clock change, dates may be before or after it.
        let least = context.zone.offsets(around: now.wall / 1_000_000).lowerBound
        clock.setZone(zone)
        let shift = Int64(zone.offsets(around: now.wall / 1_000_000).upperBound - least) * 1_000_000
        storeMapping()
        replanWallEntries(floatingAfter: now.wall - max(0, shift))
        replanSnoozes()
        reconsiderQuiet()
    }

    /// Returns the instant after which the next firing must come: the last firing, or the adding. For a floating
    /// trigger it is the same local time in the current zone. Going west that is later, so it must pass again; going
    /// east it is earlier, so skipped local times come after it.
    func floor(of entry: ScheduleEntry, _ source: DateSource) -> Int64 {
        Self.floor(entry.progress, floats: source.followsSystemZone, policies: source.policies, in: context)
    }

    static func floor(
        _ progress: TriggerProgress,
        floats: Bool,
        policies: @autoclosure () -> DatePolicies,
        in context: TriggerContext
    ) -> Int64 {
        let instant = progress.lastDue ?? progress.anchor
        guard floats, let local = progress.lastLocal else { return instant }
        let isHere = local == Self.local(instant, in: context)
        // Far from clock changes the local time stands for this instant alone.
        if isHere, context.zone.isCalm(around: instant / 1_000_000) { return instant }
        let mark = context.zone.instant(ofMark: local, policies()) * 1_000_000
        // A local time that comes twice may have come for the second time.
        return isHere ? max(instant, mark) : mark
    }

    /// Sets wall-clock entries to their first due time after now and after their floor; after `local` and their floor
    /// if they follow the system's zone. Entries that are due stay due. O(n), reading memory sequentially.
    private mutating func replanWallEntries(floatingAfter local: Int64) {
        let (context, present, doubt) = (context, now.wall, clock.doubt)
        // Computed once per rule: its first date after an instant is also the first after any later instant before that
        // date.
        let dates = entries.rules.dates(after: present, floatingAfter: local, in: context)
        var (items, ended): ([DeadlineQueue.Item], [String]) = ([], [])
        items.reserveCapacity(entries.wallQueue.count)
        entries.updateAll { slot, entry in
            guard let deadline = entry.deadline, !entry.waitsOnBootClock else { return }
            if deadline > present, !entry.replan(dates, after: present, floatingAfter: local, in: context) {
                ended.append(entry.id)
            }
            guard doubt?.deferred.contains(entry.doubtItem) != true else { return }
            items.append(.init(deadline: entry.deadline ?? deadline, order: entry.revision, slot: slot))
        }
        entries.wallQueue = DeadlineQueue(items)
        for id in ended { endRequest(id, .missed, detail: Self.noDateLeft) }
    }

    /// The rules of pending requests that take long to compile. O(n).
    var recurrences: [CompiledRecurrence] {
        entries.all.compactMap { entry in
            guard case .wallClock(.other(let other), _) = entry.timing else { return nil }
            return other.value.compiledRecurrence
        }
    }

    mutating func storeMapping() { store(.putClockMapping(clock.mapping)) }
}

extension ZoneRules {
    /// Whether no clock change is within two days, which is farther than one moves a time.
    func isCalm(around instant: Int64) -> Bool {
        guard let change = nextChange(after: instant - 2 * 86_400) else { return true }
        return change > instant + 2 * 86_400
    }

    /// Returns the instant at which a rule with these policies has fired for a local time, and for none that is later.
    fileprivate func instant(ofMark local: Int64, _ policies: DatePolicies) -> Int64 {
        let time = instants(ofLocal: local)
        let (missing, repeated) = (policies.missingTime, policies.repeatedTime)
        if let instant = time.instant(local: local, missing: missing, repeated: repeated) { return instant }
        // The rule skips it, and may fire as soon as the gap ends.
        guard case .skipped(let change, _, _) = time else { return local }
        return change - 1
    }
}

extension ScheduleEntry {
    /// Returns false if no date is left.
    ///
    /// - Parameter dates: The first date of each calendar rule, after one of the two instants.
    fileprivate mutating func replan(
        _ dates: ContiguousArray<Int64?>,
        after present: Int64,
        floatingAfter local: Int64,
        in context: TriggerContext
    ) -> Bool {
        let (floats, base, first): (Bool, Int64, Int64?)
        if let rule {
            (floats, base, first) = (rule.floats, rule.floats ? local : present, dates[Int(rule.number)])
        } else if case .wallClock(.other(let other), _) = timing {
            floats = other.value.followsSystemZone
            base = floats ? local : present
            first = DateSource.other(other).next(after: base, in: context)
        } else {
            // A one-shot date that the new clock has passed stays planned: it is late, not lost.
            return true
        }
        let floor = max(base, Schedule.floor(progress, floats: floats, policies: policies, in: context))
        var next = first
        if let first, first <= floor { next = source?.next(after: floor, in: context) }
        // A zone's data may be missing for a moment, while it is updated.
        guard let next else { return !floats }
        // Else the trigger does not advance, which its firing will report.
        if next > floor { deadline = next }
        return true
    }

    private var source: DateSource? { if case .wallClock(let source, _) = timing { source } else { nil } }
    private var policies: DatePolicies { source?.policies ?? DatePolicies() }
}

extension ScheduleEntry {
    /// Corrects marks ahead of the wall clock. A firing's mark moves to now if it is more than a day ahead, or ahead at
    /// all if `forgettingAll`: later dates fire again, and earlier ones don't. The mark of the adding always moves.
    mutating func pullBack(
        to present: Int64,
        forgettingAll: Bool,
        in context: TriggerContext
    ) -> (wasForgotten: Bool, wasMoved: Bool) {
        let local = Schedule.local(present, in: context)
        if let mark = progress.lastDue {
            guard mark - (forgettingAll ? 0 : Schedule.implausibleSetback) > present else { return (false, false) }
            progress.lastDue = present
            progress.lastLocal = local
            return (wasForgotten: true, wasMoved: false)
        }
        guard progress.anchor > present else { return (false, false) }
        progress.anchor = present
        // After a journey east the local time of the adding may be before that of now, with a date in between.
        progress.lastLocal = followsSystemZone ? min(local, progress.lastLocal ?? local) : nil
        return (wasForgotten: false, wasMoved: true)
    }
}
