/// What one event changes: to be stored as one, to be undone as one, and what follows once it is stored.
struct ScheduleBatch: Sendable {
    enum Undo: Sendable {
        case newEntry(String)
        case entry(ScheduleEntry)
        case newNotice(String)
        indirect case notice(NoticeState)
        indirect case owner(RequestOwner, [String: OwnedEntry])
        indirect case quiet(QuietWatch?)
        /// It has ended; behind the changes that let go of what it held.
        indirect case hold(MisfireHold)
        case arrivals(String, [Schedule.Arrival])
        /// A request with a region, and the newest such before it.
        case newPlace(String, newest: Int64)
        indirect case placeEntry(ScheduleEntry, CircularRegion, PlaceProgress?)
        /// What was known of a region.
        case place(String, PlaceProgress?)
        indirect case marks(PlaceMarks)
        indirect case window(String, WindowWatch?, WindowRecord?)
    }

    var changes: [StoreChange] = []
    /// Old values, oldest first.
    var undo: [Undo] = []
    /// Contents that old values referred to and the new ones do not.
    var released: [(id: String, revision: Int64)] = []
    var then: [ScheduleEffect] = []
    /// Who is told when the commit fails.
    var tickets: [Ticket] = []
    /// True where the event tells what has happened outside: that can't be undone, only stored later.
    var isFact = false
    /// Facts of earlier batches that go with this one.
    var carried: [StoreChange] = []
    /// What a pending limit has dropped, and nothing is left of: requests, and series by their bases.
    var dropped: Set<String> = []
    /// The fixes that were judged: again, where the commit fails.
    var fixes: [PositionFix] = []

    /// A firing is two changes to the store, an entry and a notice to undo, and an order.
    mutating func reserveCapacity(forFirings count: Int) {
        guard count > 1 else { return }
        changes.reserveCapacity(changes.count + 2 * count)
        undo.reserveCapacity(undo.count + 2 * count)
        then.reserveCapacity(then.count + count)
    }
}

extension Schedule {
    // The only places that change entries and notices, so that every change can be undone.

    /// - Parameter region: of a new entry that waits for a place.
    mutating func setEntry(_ new: ScheduleEntry, region: CircularRegion? = nil) {
        guard let old = writeEntry(new) else {
            guard let region, case .place = new.timing, let slot = entries.slot(of: new.id, hash: new.idHash) else {
                return batch.undo.append(.newEntry(new.id))
            }
            batch.undo.append(.newPlace(new.id, newest: places.newest))
            places.insert(region, slot: slot, revision: new.revision)
            positions.isStale = true
            return
        }
        if old.revision != new.revision { batch.released.append((old.id, old.revision)) }
        batch.undo.append(.entry(old))
    }

    /// Returns what was there.
    @discardableResult
    mutating func removeEntry(_ id: String) -> ScheduleEntry? {
        let slot = entries.slot(of: id)
        guard let slot, let old = takeEntry(id) else { return nil }
        batch.released.append((old.id, old.revision))
        batch.undo.append(takePlace(slot, of: old))
        return old
    }

    /// An entry that has fired, and left its queue for that, goes on with a new deadline.
    mutating func advanceEntry(_ slot: Int32, _ new: ScheduleEntry) {
        enqueue(slot, new)
        if let old = entries.replace(slot, new) { batch.undo.append(.entry(old)) }
    }

    /// An entry that has fired, and left its queue for that, is over.
    /// - Parameter isShown: a notice of it needs the content from now on.
    mutating func endEntry(_ slot: Int32, isShown: Bool) {
        guard let old = entries.remove(slot) else { return }
        if let base = old.series { leaveSeries(base, old.id) }
        if !isShown { batch.released.append((old.id, old.revision)) }
        batch.undo.append(takePlace(slot, of: old))
    }

    /// The region of an entry that is gone goes with it, and what was stored of it.
    private mutating func takePlace(_ slot: Int32, of old: ScheduleEntry) -> ScheduleBatch.Undo {
        guard case .place = old.timing, let (region, state) = places.remove(slot: slot) else { return .entry(old) }
        positions.isStale = true
        if state != nil { batch.changes.append(.putPlace(revision: old.revision, nil)) }
        return .placeEntry(old, region, state)
    }

    mutating func setPlace(_ slot: Int32, _ entry: ScheduleEntry, _ new: PlaceProgress?) {
        let old = places.states[slot]
        guard new != old else { return }
        batch.undo.append(.place(entry.id, old))
        batch.changes.append(.putPlace(revision: entry.revision, new))
        places.states[slot] = new
    }

    mutating func setMarks(_ new: PlaceMarks) {
        guard new != places.marks else { return }
        batch.undo.append(.marks(places.marks))
        batch.changes.append(.putPlaceMarks(new))
        places.marks = new
        positions.isStale = true
    }

    mutating func setNotice(_ new: NoticeState) {
        guard let old = writeNotice(new) else { return batch.undo.append(.newNotice(new.id)) }
        old.forEachContent { if !new.needs(revision: $1) { batch.released.append(($0, $1)) } }
        batch.undo.append(.notice(old))
    }

    /// Returns what was there.
    @discardableResult
    private mutating func writeEntry(_ new: ScheduleEntry) -> ScheduleEntry? {
        let (slot, old) = entries.put(new)
        if let old {
            if let base = old.series, base != new.series { leaveSeries(base, new.id) }
            dequeue(slot, old)
        }
        if let base = new.series { seriesMembers[base, default: []].insert(new.id) }
        enqueue(slot, new)
        return old
    }

    private mutating func takeEntry(_ id: String) -> ScheduleEntry? {
        guard let (slot, old) = entries.remove(id) else { return nil }
        if let base = old.series { leaveSeries(base, id) }
        dequeue(slot, old)
        return old
    }

    private mutating func leaveSeries(_ base: String, _ id: String) {
        seriesMembers[base]?.remove(id)
        if seriesMembers[base]?.isEmpty == true { seriesMembers[base] = nil }
    }

    private mutating func enqueue(_ slot: Int32, _ entry: ScheduleEntry) {
        guard let deadline = entry.deadline, !isHeld(entry) else { return }
        if entry.waitsOnBootClock {
            bootQueue.set(slot: slot, deadline: deadline, order: entry.revision)
        } else {
            wallQueue.set(slot: slot, deadline: deadline, order: entry.revision)
        }
    }

    private mutating func dequeue(_ slot: Int32, _ entry: ScheduleEntry) {
        if entry.waitsOnBootClock { bootQueue.remove(slot: slot) } else { wallQueue.remove(slot: slot) }
    }

    /// Returns what was there. A notice of nothing is none.
    @discardableResult
    private mutating func writeNotice(_ new: NoticeState) -> NoticeState? {
        guard new.standing != nil || new.coming != nil || new.snoozed != nil else { return takeNotice(new.id) }
        let (slot, old) = notices.put(new)
        if new.id.hasPrefix(Self.summaryPrefix) {
            if new.isSummary { summaryIDs.insert(new.id) } else { summaryIDs.remove(new.id) }
        }
        if let old { forgetWhereabouts(of: old) }
        if let standing = new.standing { requestIDs[standing.receipt.key] = new.id }
        for base in new.seriesBases { seriesNotices[base, default: []].insert(new.id) }
        if let coming = new.coming, let retryAt = coming.retryAt {
            retryQueue.set(slot: slot, deadline: retryAt, order: coming.occurrence.revision)
        } else {
            retryQueue.remove(slot: slot)
        }
        if let coming = new.coming, let heldUntil = coming.heldUntil {
            heldQueue.set(slot: slot, deadline: heldUntil, order: coming.occurrence.dueAt.wall)
        } else {
            heldQueue.remove(slot: slot)
        }
        enqueueSnooze(slot, new.snoozed)
        return old
    }

    private mutating func enqueueSnooze(_ slot: Int32, _ record: DeliveryRecord?) {
        let wait = record.map(isHeld) == true ? nil : record?.wait
        if let record, case .snoozedOnBoot(let until)? = wait {
            snoozeBootQueue.set(slot: slot, deadline: until, order: record.revision)
        } else {
            snoozeBootQueue.remove(slot: slot)
        }
        switch (record, wait) {
        case (let record?, .snoozedOnWall(let until)?), (let record?, .snoozedToLocal(_, let until)?):
            snoozeWallQueue.set(slot: slot, deadline: until, order: record.revision)
        default: snoozeWallQueue.remove(slot: slot)
        }
    }

    private mutating func takeNotice(_ id: String) -> NoticeState? {
        guard let (slot, old) = notices.remove(id) else { return nil }
        if !summaryIDs.isEmpty { summaryIDs.remove(id) }
        for queue in [\Schedule.retryQueue, \.heldQueue, \.snoozeWallQueue, \.snoozeBootQueue] {
            self[keyPath: queue].remove(slot: slot)
        }
        forgetWhereabouts(of: old)
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
            case .newEntry(let id): _ = takeEntry(id)
            case .entry(let old): writeEntry(old)
            case .newNotice(let id): _ = takeNotice(id)
            case .notice(let old): writeNotice(old)
            case .owner(let owner, let old): writeOwner(owner, old)
            case .quiet(let old): quiet = old
            case .hold(let old): hold = old
            case .arrivals(let thread, let old): arrivals[thread] = old.isEmpty ? nil : old
            case .newPlace(let id, let newest):
                if let slot = entries.slot(of: id) { places.remove(slot: slot) }
                _ = takeEntry(id)
                places.newest = newest
                positions.isStale = true
            case .placeEntry(let old, let region, let state):
                writeEntry(old)
                guard let slot = entries.slot(of: old.id, hash: old.idHash) else { continue }
                places.insert(region, slot: slot, revision: old.revision)
                places.states[slot] = state
                positions.isStale = true
            case .place(let id, let state): if let slot = entries.slot(of: id) { places.states[slot] = state }
            case .marks(let old):
                places.marks = old
                positions.isStale = true
            case .window(let name, let old, let record): writeWindow(name, old, record: record)
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
        for (id, revision) in batch.released {
            guard !isNeeded(id, revision: revision), batch.released.count == 1 || seen.insert(revision).inserted
            else { continue }
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
        let excess = positions.waitAgain(failed.fixes)
        if excess > 0 { _ = positions.ignore(.tooMany, count: excess) }
        for ticket in failed.tickets { cancelling[ticket] = nil }
        guard !failed.tickets.isEmpty else { return [.report(error)] }
        return failed.tickets.map { .answer($0, .failure(error)) }
    }
}
