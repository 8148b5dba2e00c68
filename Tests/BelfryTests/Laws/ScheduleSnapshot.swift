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
            guard let slot = schedule.entries.slot(of: id), let region = schedule.places.index.region(of: slot) else {
                continue
            }
            lines.append("place \(id) \(region) \(schedule.places.states[slot].map { "\($0)" } ?? "elsewhere")")
        }
        lines.append("places \(schedule.places.index.count) \(schedule.places.newest) \(schedule.places.marks)")
        for id in schedule.notices.ids.sorted() {
            guard let notice = schedule.notices[id] else { continue }
            lines.append("notice \(id) \(notice)")
        }
        for (base, members) in schedule.seriesMembers.sorted(by: { $0.key < $1.key }) {
            lines.append("series \(base) \(members.sorted())")
        }
        for (base, members) in schedule.seriesNotices.sorted(by: { $0.key < $1.key }) {
            lines.append("series' notices \(base) \(members.sorted())")
        }
        lines.append("receipts \(schedule.requestIDs.map { "\($0.key.handle)=\($0.value)" }.sorted())")
        for (owner, entries) in schedule.owners.sorted(by: { $0.key < $1.key }) {
            lines.append("owner \(owner) \(entries.sorted { $0.key < $1.key })")
        }
        lines.append("owned \(schedule.entryOfRequest.map { "\($0.key)=\($0.value)" }.sorted())")
        lines.append("queues \(schedule.wallQueue.count) \(schedule.bootQueue.count) \(schedule.retryQueue.count)")
        lines.append(
            "waiting \(schedule.heldQueue.count) \(schedule.snoozeWallQueue.count) \(schedule.snoozeBootQueue.count)"
                + " for \(schedule.quiet.map { "\($0.setting)" } ?? "nothing")"
        )
        for (thread, all) in schedule.arrivals.sorted(by: { $0.key < $1.key }) where !all.isEmpty {
            lines.append("arrivals \(thread) \(all)")
        }
        lines.append("summaries \(schedule.summaryIDs.sorted())")
        lines.append("next \(schedule.nextDue ?? -1) cancelling \(schedule.cancelling.sorted { $0.key < $1.key })")
        lines.append(
            "running \(schedule.isRunning) zone \(schedule.context.zone.identifier) offset \(schedule.wallOffset)"
        )
    }

    /// The first line that differs.
    func difference(from other: ScheduleSnapshot) -> String? {
        guard self != other else { return nil }
        let (left, right) = (Set(lines), Set(other.lines))
        return "\(left.subtracting(right).sorted()) instead of \(right.subtracting(left).sorted())"
    }
}

extension Schedule {
    /// What is wrong with the schedule's own order, or nil. O(n).
    var brokenInvariant: String? {
        for queue in [wallQueue, bootQueue, retryQueue, heldQueue, snoozeWallQueue, snoozeBootQueue] {
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
            let isQueued = entry.deadline != nil && !isHeld(entry)
            let isOnWall = isQueued && !entry.waitsOnBootClock
            let isOnBoot = isQueued && entry.waitsOnBootClock
            if wallQueue.contains(slot: slot) != isOnWall { return "\(id) is in the wrong queue (wall)" }
            if bootQueue.contains(slot: slot) != isOnBoot { return "\(id) is in the wrong queue (boot)" }
            (onWall, onBoot) = (onWall + (isOnWall ? 1 : 0), onBoot + (isOnBoot ? 1 : 0))
        }
        var owned: [String: EntryReference] = [:]
        for (owner, all) in owners {
            for (key, entry) in all {
                for id in entry.requestIDs { owned[id] = EntryReference(owner: owner, key: key) }
            }
        }
        if owned != entryOfRequest { return "owned \(entryOfRequest) instead of \(owned)" }
        if members != seriesMembers { return "series \(seriesMembers) instead of \(members)" }
        if wallQueue.count != onWall || bootQueue.count != onBoot { return "a queue holds what is not pending" }
        return brokenNotices
    }

    private var brokenPlaces: String? {
        var (count, known) = (0, 0)
        for id in entries.ids {
            guard let slot = entries.slot(of: id), let entry = entries[slot] else { continue }
            let state = places.states[slot]
            guard case .place(let rule) = entry.timing else {
                if state != nil || places.index.region(of: slot) != nil {
                    return "\(id) has a place and waits for none"
                }
                continue
            }
            (count, known) = (count + 1, known + (state == nil ? 0 : 1))
            if places.index.region(of: slot) == nil { return "\(id) has lost its region" }
            if entry.deadline != state?.since.map({ $0.boot + rule.dwell }) { return "\(id) stays for another time" }
            if state?.isInside == false, state?.since == nil { return "\(id) has a state of nothing" }
            if entry.revision > places.newest { return "\(id) is newer than the newest" }
        }
        if places.index.count != count { return "\(places.index.count) regions of \(count) requests" }
        return places.states.count == known ? nil : "\(places.states.count) states of \(known) requests"
    }

    private var brokenNotices: String? {
        var (byReceipt, bySeries, waiting) = ([ReceiptKey: String](), [String: Set<String>](), 0)
        var (held, snoozed) = (0, 0)
        for id in notices.ids {
            guard let slot = notices.slot(of: id), let state = notices[slot], state.id == id else {
                return "\(id) is lost"
            }
            if state.standing == nil, state.coming == nil, state.snoozed == nil {
                return "\(id) has a notice of nothing"
            }
            if let standing = state.standing { byReceipt[standing.receipt.key] = id }
            for base in state.seriesBases { bySeries[base, default: []].insert(id) }
            let waits = state.coming?.retryAt != nil
            if retryQueue.contains(slot: slot) != waits { return "\(id) is in the wrong queue (retry)" }
            let isHeld = state.coming?.heldUntil != nil
            if heldQueue.contains(slot: slot) != isHeld { return "\(id) is in the wrong queue (held)" }
            if waits, isHeld { return "\(id) waits for two things" }
            if waits || isHeld, state.coming?.queued != nil || state.coming?.cancelledBy != nil {
                return "\(id) waits in vain"
            }
            let isSnoozed = snoozeWallQueue.contains(slot: slot) || snoozeBootQueue.contains(slot: slot)
            if isSnoozed != (state.snoozed.map { !self.isHeld($0) } ?? false) {
                return "\(id) is in the wrong queue (snooze)"
            }
            if let record = state.snoozed, record.wait?.isSnooze != true || record.shownAt != nil {
                return "\(id) is snoozed as \(record)"
            }
            (held, snoozed) = (held + (isHeld ? 1 : 0), snoozed + (isSnoozed ? 1 : 0))
            waiting += waits ? 1 : 0
        }
        let summaries = notices.ids.filter { notices[$0]?.isSummary == true }
        if Set(summaries) != summaryIDs { return "summaries \(summaryIDs) instead of \(summaries)" }
        if byReceipt != requestIDs { return "receipts \(requestIDs) instead of \(byReceipt)" }
        if bySeries != seriesNotices { return "series' notices \(seriesNotices) instead of \(bySeries)" }
        if heldQueue.count != held { return "the queue of what is held holds what is not" }
        if snoozeWallQueue.count + snoozeBootQueue.count != snoozed { return "a snooze is in two queues, or of nobody" }
        return retryQueue.count == waiting ? nil : "the retry queue holds what does not wait"
    }
}
