/// What one event changes: to be stored as one, to be undone as one, and what follows once it is stored.
struct ScheduleBatch: Sendable {
    enum Undo: Sendable {
        case entry(String, ScheduleEntry?)
        case newNotice(String)
        indirect case notice(NoticeState)
    }

    var changes: [StoreChange] = []
    /// Old values, oldest first.
    var undo: [Undo] = []
    var then: [ScheduleEffect] = []
    /// Who is told when the commit fails.
    var tickets: [Ticket] = []
    /// True where the event tells what has happened outside: that can't be undone, only stored later.
    var isFact = false
    /// Facts of earlier batches that go with this one.
    var carried: [StoreChange] = []
}

extension Schedule {
    /// The only two places that change entries and notices, so that every change can be undone.
    mutating func setEntry(_ id: String, _ new: ScheduleEntry?) {
        let old = writeEntry(id, new)
        batch.undo.append(.entry(id, old))
    }

    mutating func setNotice(_ id: String, _ new: NoticeState?) {
        let old = writeNotice(id, new)
        batch.undo.append(old.map { .notice($0) } ?? .newNotice(id))
    }

    /// Returns what was there.
    @discardableResult
    private mutating func writeEntry(_ id: String, _ new: ScheduleEntry?) -> ScheduleEntry? {
        guard let new else {
            guard let (slot, old) = entries.remove(id) else { return nil }
            if let base = old.series { leaveSeries(base, id) }
            wallQueue.remove(slot: slot)
            bootQueue.remove(slot: slot)
            return old
        }
        let (slot, old) = entries.put(new)
        if let base = old?.series, base != new.series { leaveSeries(base, id) }
        if let base = new.series { seriesMembers[base, default: []].insert(id) }
        placeInQueue(slot, new)
        return old
    }

    private mutating func leaveSeries(_ base: String, _ id: String) {
        seriesMembers[base]?.remove(id)
        if seriesMembers[base]?.isEmpty == true { seriesMembers[base] = nil }
    }

    private mutating func placeInQueue(_ slot: Int32, _ entry: ScheduleEntry) {
        if let deadline = entry.deadline, entry.waitsOnBootClock {
            wallQueue.remove(slot: slot)
            bootQueue.set(slot: slot, deadline: deadline, order: entry.revision)
        } else if let deadline = entry.deadline {
            bootQueue.remove(slot: slot)
            wallQueue.set(slot: slot, deadline: deadline, order: entry.revision)
        } else {
            bootQueue.remove(slot: slot)
            wallQueue.remove(slot: slot)
        }
    }

    /// Returns what was there.
    @discardableResult
    private mutating func writeNotice(_ id: String, _ new: NoticeState?) -> NoticeState? {
        guard let new, new.standing != nil || new.coming != nil else {
            guard let (slot, old) = notices.remove(id) else { return nil }
            retryQueue.remove(slot: slot)
            forgetWhereabouts(of: old)
            return old
        }
        let (slot, old) = notices.put(new)
        if let old { forgetWhereabouts(of: old) }
        if let standing = new.standing { requestIDs[standing.receipt.key] = id }
        for base in new.seriesBases { seriesNotices[base, default: []].insert(id) }
        if let coming = new.coming, let retryAt = coming.retryAt {
            retryQueue.set(slot: slot, deadline: retryAt, order: coming.occurrence.revision)
        } else {
            retryQueue.remove(slot: slot)
        }
        return old
    }

    private mutating func forgetWhereabouts(of old: NoticeState) {
        if let key = old.standing?.receipt.key, requestIDs[key] == old.id { requestIDs[key] = nil }
        for base in old.seriesBases {
            seriesNotices[base]?.remove(old.id)
            if seriesNotices[base]?.isEmpty == true { seriesNotices[base] = nil }
        }
    }

    mutating func revert(_ undo: [ScheduleBatch.Undo]) {
        for step in undo.reversed() {
            switch step {
            case .entry(let id, let old): writeEntry(id, old)
            case .notice(let old): writeNotice(old.id, old)
            case .newNotice(let id): writeNotice(id, nil)
            }
        }
    }

    /// Ends the event at hand: its changes become a commit, or nothing is to be stored and its effects follow at once.
    ///
    /// What follows from changes that are not stored yet waits for them, though it has none of its own: a second removal
    /// of the same request is done when the first one is.
    mutating func closeBatch() -> [ScheduleEffect] {
        var done = batch
        batch = ScheduleBatch()
        dropUnneededContent(&done)
        let dependsOnOthers = !openBatches.isEmpty && !(done.tickets.isEmpty && done.undo.isEmpty)
        guard !done.changes.isEmpty || dependsOnOthers || (!unsaved.isEmpty && pausedUntil == nil) else {
            return done.then
        }
        done.carried = unsaved
        unsaved = []
        let id = nextCommit
        nextCommit += 1
        openBatches[id] = done
        return [.commit(id, done.carried.isEmpty ? done.changes : done.carried + done.changes)]
    }

    /// Contents that the event's old values referred to and nothing refers to any more.
    private func dropUnneededContent(_ batch: inout ScheduleBatch) {
        var seen: Set<Int64> = []
        for step in batch.undo {
            switch step {
            case .newNotice, .entry(_, nil): continue
            case .entry(let id, let old?): drop(old.revision, of: id)
            case .notice(let old): for revision in old.revisions { drop(revision, of: old.id) }
            }
        }
        func drop(_ revision: Int64, of id: String) {
            guard entries[id]?.revision != revision, notices[id]?.revisions.contains(revision) != true,
                seen.insert(revision).inserted
            else { return }
            batch.changes.append(.dropContent(revision: revision))
        }
    }

    /// The commit is durable: what waited for it may happen.
    mutating func finish(_ id: CommitID) -> [ScheduleEffect] {
        pauseLength = 0
        pausedUntil = nil
        return openBatches.removeValue(forKey: id)?.then ?? []
    }

    /// The commit failed: the state is as it was before the event; facts stay and are stored with the next commit.
    /// Commits that fail together are undone latest first.
    mutating func undo(_ id: CommitID, because error: NoticeError) -> [ScheduleEffect] {
        guard let failed = openBatches.removeValue(forKey: id) else { return [] }
        if pausedUntil.map({ $0 <= now.boot }) ?? true {
            pauseLength = min(max(1_000_000, pauseLength * 2), 60_000_000)
            pausedUntil = now.boot + pauseLength
        }
        if failed.isFact {
            unsaved = failed.carried + failed.changes + unsaved
            return failed.then + [.report(error)]
        }
        unsaved = failed.carried + unsaved
        revert(failed.undo)
        for ticket in failed.tickets { cancelling[ticket] = nil }
        guard !failed.tickets.isEmpty else { return [.report(error)] }
        return failed.tickets.map { .answer($0, .failure(error)) }
    }
}
