extension Schedule {
    // The only functions that change entries and notices, so that every change can be undone.

    /// - Parameter region: of a new entry that waits for a place.
    mutating func setEntry(_ new: ScheduleEntry, region: CircularRegion? = nil) {
        guard let old = writeEntry(new) else {
            guard let region, case .place = new.timing, let slot = entries.slot(of: new.id, hash: new.idHash) else {
                return remember(.newEntry(new.id))
            }
            remember(.newPlace(new.id, newest: places.newest))
            places.insert(region, slot: slot, revision: new.revision)
            positions.isStale = true
            return
        }
        if old.revision != new.revision { release(old.id, old.revision) }
        remember(.entry(old))
    }

    /// Returns what was there.
    @discardableResult
    mutating func removeEntry(_ id: String) -> ScheduleEntry? {
        guard let (slot, old) = entries.remove(id) else { return nil }
        release(old.id, old.revision)
        remember(takePlace(slot, of: old))
        return old
    }

    /// An entry that has fired, and left its queue for that, goes on with a new deadline.
    mutating func advanceEntry(_ slot: Int32, _ new: ScheduleEntry) {
        if let old = entries.advance(slot, to: new, isHeld: isHeld(new)) { remember(.entry(old)) }
    }

    /// An entry that has fired, and left its queue for that, is over.
    /// - Parameter isShown: a notice of it needs the content from now on.
    mutating func endEntry(_ slot: Int32, isShown: Bool) {
        guard let old = entries.end(slot) else { return }
        if !isShown { release(old.id, old.revision) }
        remember(takePlace(slot, of: old))
    }

    /// The region of an entry that is gone goes with it, and what was stored of it.
    private mutating func takePlace(_ slot: Int32, of old: ScheduleEntry) -> ScheduleTransaction.Undo {
        guard case .place = old.timing, let (region, state) = places.remove(slot: slot) else { return .entry(old) }
        positions.isStale = true
        if state != nil { store(.putPlace(revision: old.revision, nil)) }
        return .placeEntry(old, region, state)
    }

    mutating func setPlace(_ slot: Int32, _ entry: ScheduleEntry, _ new: RegionProgress?) {
        let old = places.states[slot]
        guard new != old else { return }
        remember(.place(entry.id, old))
        store(.putPlace(revision: entry.revision, new))
        places.states[slot] = new
    }

    mutating func setMarks(_ new: RegionMarks) {
        guard new != places.marks else { return }
        remember(.marks(places.marks))
        store(.putPlaceMarks(new))
        places.marks = new
        positions.isStale = true
    }

    mutating func setNotice(_ new: NoticeState) {
        guard let old = writeNotice(new) else { return remember(.newNotice(new.id)) }
        old.forEachContent { if !new.needs(revision: $1) { release($0, $1) } }
        remember(.notice(old))
    }

    @discardableResult
    private mutating func writeEntry(_ new: ScheduleEntry) -> ScheduleEntry? { entries.set(new, isHeld: isHeld(new)) }

    @discardableResult
    private mutating func writeNotice(_ new: NoticeState) -> NoticeState? {
        notices.set(new, isSnoozeHeld: new.snoozed.map(isHeld) ?? false)
    }

    mutating func revert(_ undo: [ScheduleTransaction.Undo]) {
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

    /// Contents that a transaction's old values referred to and nothing refers to any more.
    func dropUnneededContent(_ transaction: inout ScheduleTransaction) {
        var seen: Set<Int64> = []
        for (id, revision) in transaction.released {
            guard !isNeeded(id, revision: revision), transaction.released.count == 1 || seen.insert(revision).inserted
            else { continue }
            transaction.records.append(.dropContent(revision: revision))
        }
    }

    // MARK: The outcome of storing

    /// What was decided last is stored.
    mutating func stored(at now: TriggerInstant) {
        clock.advance(to: now)
        log.succeed()
    }

    /// Transactions could not be stored together: the state is as it was before them. Facts stay, and are stored with the next
    /// transaction.
    mutating func undo(_ transactions: [ScheduleTransaction], at now: TriggerInstant) {
        clock.advance(to: now)
        // Latest first.
        for transaction in transactions.reversed() {
            log.fail(transaction, at: now.boot)
            guard !transaction.isFact else { continue }
            revert(transaction.undo)
            let excess = positions.waitAgain(transaction.fixes)
            if excess > 0 { _ = positions.ignore(.tooMany, count: excess) }
        }
    }
}
