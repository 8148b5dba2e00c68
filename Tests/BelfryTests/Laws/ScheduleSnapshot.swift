import BelfryRecurrence

@testable import Belfry

/// All that can be observed of a schedule, in words, so that two of them can be compared.
struct ScheduleSnapshot: Equatable {
    var lines: [String] = []

    init(_ schedule: Schedule) {
        for id in schedule.entries.ids.sorted() {
            guard let entry = schedule.entries[id] else { continue }
            lines.append("pending \(id) \(entry.revision) \(entry.deadline ?? -1) \(entry.progress) \(entry.traits)")
        }
        for id in schedule.entries.ids.sorted() {
            guard let slot = schedule.entries.slot(of: id), let region = schedule.regions.index.region(of: slot) else {
                continue
            }
            lines.append("place \(id) \(region) \(schedule.regions.states[slot].map { "\($0)" } ?? "elsewhere")")
        }
        lines.append("places \(schedule.regions.index.count) \(schedule.regions.newest) \(schedule.regions.marks)")
        for id in schedule.notices.ids.sorted() {
            guard let notice = schedule.notices[id] else { continue }
            lines.append("notice \(id) \(notice)")
        }
        for (base, members) in schedule.entries.members.byBase.sorted(by: { $0.key < $1.key }) {
            lines.append("series \(base) \(members.sorted())")
        }
        for (base, members) in schedule.notices.members.byBase.sorted(by: { $0.key < $1.key }) {
            lines.append("series' notices \(base) \(members.sorted())")
        }
        lines.append("receipts \(schedule.notices.idsByReceipt.map { "\($0.key.handle)=\($0.value)" }.sorted())")
        for owner in schedule.owners.owners {
            let entries = schedule.owners[owner]
            lines.append("owner \(owner) \(entries.sorted { $0.key < $1.key })")
        }
        lines.append("owned \(schedule.owners.references.map { "\($0.key)=\($0.value)" }.sorted())")
        lines.append("queues \(schedule.queues.map(\.count))")
        lines.append("waiting for \(schedule.quiet.map { "\($0.setting)" } ?? "nothing")")
        for thread in schedule.arrivals.threads.sorted() {
            lines.append("arrivals \(thread) \(schedule.arrivals[thread])")
        }
        lines.append("summaries \(schedule.notices.summaryIDs.sorted())")
        lines.append("next \(schedule.nextDue ?? -1)")
        lines.append(
            "running \(schedule.isRunning) zone \(schedule.context.zone.identifier) offset \(schedule.clock.wallOffset)"
        )
    }

    /// The first line that differs.
    func difference(from other: ScheduleSnapshot) -> String? {
        guard self != other else { return nil }
        let (left, right) = (Set(lines), Set(other.lines))
        return "\(left.subtracting(right).sorted()) instead of \(right.subtracting(left).sorted())"
    }
}

extension DeadlineQueue {
    /// What is wrong with its order or its index by slot, or nil. O(n log n).
    var brokenInvariant: String? {
        let placed = Set(slots)
        guard placed.count == count else { return "\(count) items of \(placed.count) slots" }
        for slot in 0...(placed.max() ?? 0) where contains(slot: slot) != placed.contains(slot) {
            return "slot \(slot) has lost its place"
        }
        var (rest, last) = (self, first)
        // Each is found by its slot and taken out of the middle of what is left.
        while let item = rest.popFirst(dueAt: .max) {
            if let last, item < last { return "slot \(item.slot) is behind a later one" }
            if rest.contains(slot: item.slot) { return "slot \(item.slot) is still there" }
            last = item
        }
        return rest.count == 0 ? nil : "\(rest.count) items are left"
    }
}

extension Schedule {
    fileprivate var queues: [DeadlineQueue] {
        [
            entries.wallQueue, entries.bootQueue,
            notices.retries, notices.deferrals, notices.wallSnoozes, notices.bootSnoozes,
        ]
    }

    /// What is wrong with the schedule's own order, or nil. O(n).
    var brokenInvariant: String? {
        for queue in queues {
            if let broken = queue.brokenInvariant { return broken }
        }
        if let broken = brokenPlaces { return broken }
        var members: [String: Set<String>] = [:]
        var (onWall, onBoot) = (0, 0)
        for id in entries.ids {
            guard let slot = entries.slot(of: id), let entry = entries[slot], entry.id == id else {
                return "\(id) has no entry"
            }
            if let base = entry.traits.series { members[base, default: []].insert(id) }
            let isQueued = entry.deadline != nil && !isDeferred(entry.doubtItem)
            let isOnWall = isQueued && !entry.waitsOnBootClock
            let isOnBoot = isQueued && entry.waitsOnBootClock
            if entries.wallQueue.contains(slot: slot) != isOnWall { return "\(id) is in the wrong queue (wall)" }
            if entries.bootQueue.contains(slot: slot) != isOnBoot { return "\(id) is in the wrong queue (boot)" }
            (onWall, onBoot) = (onWall + (isOnWall ? 1 : 0), onBoot + (isOnBoot ? 1 : 0))
        }
        var owned: [String: EntryReference] = [:]
        for owner in owners.owners {
            for (key, entry) in owners[owner] {
                for id in entry.requestIDs { owned[id] = EntryReference(owner: owner, key: key) }
            }
        }
        if owned != owners.references { return "owned \(owners.references) instead of \(owned)" }
        if members != entries.members.byBase { return "series \(entries.members) instead of \(members)" }
        if entries.wallQueue.count != onWall || entries.bootQueue.count != onBoot {
            return "a queue holds what is not pending"
        }
        return brokenNotices
    }

    private var brokenPlaces: String? {
        var (count, known) = (0, 0)
        for id in entries.ids {
            guard let slot = entries.slot(of: id), let entry = entries[slot] else { continue }
            let state = regions.states[slot]
            guard case .region(let rule) = entry.timing else {
                if state != nil || regions.index.region(of: slot) != nil {
                    return "\(id) has a place and waits for none"
                }
                continue
            }
            (count, known) = (count + 1, known + (state == nil ? 0 : 1))
            if regions.index.region(of: slot) == nil { return "\(id) has lost its region" }
            if entry.deadline != state?.since.map({ $0.boot + rule.dwell }) { return "\(id) stays for another time" }
            // A feed's region may be known to be outside before the marks of all regions say so.
            if state?.isInside == false, state?.since == nil, owners.references[id]?.owner.feed == nil {
                return "\(id) has a state of nothing"
            }
            if entry.revision > regions.newest { return "\(id) is newer than the newest" }
        }
        if regions.index.count != count { return "\(regions.index.count) regions of \(count) requests" }
        return regions.states.count == known ? nil : "\(regions.states.count) states of \(known) requests"
    }

    private var brokenNotices: String? {
        var (byReceipt, bySeries, waiting) = ([ReceiptKey: String](), [String: Set<String>](), 0)
        var (held, snoozed) = (0, 0)
        for id in notices.ids {
            guard let slot = notices.slot(of: id), let state = notices[slot], state.id == id else {
                return "\(id) is lost"
            }
            if state.delivered == nil, state.underWay == nil, state.snoozed == nil {
                return "\(id) has a notice of nothing"
            }
            if let standing = state.delivered { byReceipt[standing.receipt.key] = id }
            for base in state.seriesBases { bySeries[base, default: []].insert(id) }
            let isHeld = state.underWay.map { isDeferred($0.record.doubtItem) } ?? false
            let waits = state.underWay?.retryAt != nil && !isHeld
            if notices.retries.contains(slot: slot) != waits { return "\(id) is in the wrong queue (retry)" }
            let waitsForQuiet = state.underWay?.deferredUntil != nil && !isHeld
            if notices.deferrals.contains(slot: slot) != waitsForQuiet { return "\(id) is in the wrong queue (held)" }
            if waits, waitsForQuiet { return "\(id) waits for two things" }
            if waits || waitsForQuiet || isHeld, state.underWay?.queued != nil || state.underWay?.isCancelled == true {
                return "\(id) waits in vain"
            }
            let isSnoozed = notices.wallSnoozes.contains(slot: slot) || notices.bootSnoozes.contains(slot: slot)
            if isSnoozed != (state.snoozed.map { !isDeferred($0.doubtItem) } ?? false) {
                return "\(id) is in the wrong queue (snooze)"
            }
            if let record = state.snoozed, record.wait?.isSnooze != true || record.shownAt != nil {
                return "\(id) is snoozed as \(record)"
            }
            (held, snoozed) = (held + (waitsForQuiet ? 1 : 0), snoozed + (isSnoozed ? 1 : 0))
            waiting += waits ? 1 : 0
        }
        let summaries = notices.ids.filter { notices[$0]?.isSummary == true }
        let snoozedIDs = Set(notices.ids.filter { notices[$0]?.snoozed != nil })
        if snoozedIDs != notices.snoozedIDs { return "snoozed \(notices.snoozedIDs) instead of \(snoozedIDs)" }
        if Set(summaries) != notices.summaryIDs { return "summaries \(notices.summaryIDs) instead of \(summaries)" }
        if byReceipt != notices.idsByReceipt { return "receipts \(notices.idsByReceipt) instead of \(byReceipt)" }
        if bySeries != notices.members.byBase { return "series' notices \(notices.members) instead of \(bySeries)" }
        if notices.deferrals.count != held { return "the queue of what is held holds what is not" }
        let queued = notices.wallSnoozes.count + notices.bootSnoozes.count
        if queued != snoozed { return "a snooze is in two queues, or of nobody" }
        return notices.retries.count == waiting ? nil : "the retry queue holds what does not wait"
    }
}
