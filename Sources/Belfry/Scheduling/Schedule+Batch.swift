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
        indirect case feed(String, FeedWatch?, RegionFeedRecord?)
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
        guard let (slot, old) = entries.remove(id) else { return nil }
        batch.released.append((old.id, old.revision))
        batch.undo.append(takePlace(slot, of: old))
        return old
    }

    /// An entry that has fired, and left its queue for that, goes on with a new deadline.
    mutating func advanceEntry(_ slot: Int32, _ new: ScheduleEntry) {
        if let old = entries.advance(slot, to: new, isHeld: isHeld(new)) { batch.undo.append(.entry(old)) }
    }

    /// An entry that has fired, and left its queue for that, is over.
    /// - Parameter isShown: a notice of it needs the content from now on.
    mutating func endEntry(_ slot: Int32, isShown: Bool) {
        guard let old = entries.end(slot) else { return }
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

    @discardableResult
    private mutating func writeEntry(_ new: ScheduleEntry) -> ScheduleEntry? { entries.set(new, isHeld: isHeld(new)) }

    @discardableResult
    private mutating func writeNotice(_ new: NoticeState) -> NoticeState? {
        notices.set(new, isSnoozeHeld: new.snoozed.map(isHeld) ?? false)
    }

    mutating func revert(_ undo: [ScheduleBatch.Undo]) {
        for step in undo.reversed() {
            switch step {
            case .newEntry(let id): _ = entries.remove(id)
            case .entry(let old): writeEntry(old)
            case .newNotice(let id): _ = notices.remove(id)
            case .notice(let old): writeNotice(old)
            case .owner(let owner, let old): owners.set(owner, old)
            case .quiet(let old): quiet = old
            case .hold(let old): hold = old
            case .arrivals(let thread, let old): arrivals[thread] = old.isEmpty ? nil : old
            case .newPlace(let id, let newest):
                if let slot = entries.slot(of: id) { places.remove(slot: slot) }
                _ = entries.remove(id)
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
            case .feed(let name, let old, let record): revertFeed(name, old, record: record)
            }
        }
    }

    /// Ends the event at hand: its changes become a commit, or nothing is to be stored and its effects follow at once.
    mutating func closeBatch() -> [ScheduleEffect] {
        var done = batch
        batch = ScheduleBatch()
        dropUnneededContent(&done)
        guard let (id, changes) = commits.begin(done) else { return done.then }
        return [.commit(id, changes)]
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
    mutating func finish(_ id: CommitID) -> [ScheduleEffect] { commits.finish(id)?.then ?? [] }

    /// The commit failed: the state is as it was before the event; facts stay and are stored with the next commit.
    /// Commits that fail together are undone latest first.
    mutating func undo(_ id: CommitID, because error: NoticeError) -> [ScheduleEffect] {
        guard let failed = commits.fail(id, at: now.boot) else { return [] }
        if failed.isFact { return failed.then + [.report(error)] }
        revert(failed.undo)
        let excess = positions.waitAgain(failed.fixes)
        if excess > 0 { _ = positions.ignore(.tooMany, count: excess) }
        for ticket in failed.tickets { cancelling[ticket] = nil }
        guard !failed.tickets.isEmpty else { return [.report(error)] }
        return failed.tickets.map { .answer($0, .failure(error)) }
    }
}
