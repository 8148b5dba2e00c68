// The only functions that change entries, notices and regions, so that every change can be undone.
extension Schedule {
    /// - Parameter region: the region of a new entry that waits for one.
    mutating func setEntry(_ new: ScheduleEntry, region: CircularRegion? = nil) {
        if let old = writeEntry(new) {
            if old.revision != new.revision { release(old.id, old.revision) }
            return remember { $0.writeEntry(old) }
        }
        let id = new.id
        remember { if let slot = $0.entries.slot(of: id) { _ = $0.entries.remove(slot) } }
        guard let region, case .region = new.timing, let slot = entries.slot(of: id) else { return }
        let newest = regions.newest
        remember { $0.regions.takeBack(slot, newest: newest) }
        regions.insert(region, slot: slot, revision: new.revision)
    }

    /// Removes an entry with its region, and their stored state.
    ///
    /// - Parameter isShown: a notice needs the entry's content from now on.
    mutating func removeEntry(_ slot: Int32, isShown: Bool = false) {
        guard let old = entries.remove(slot) else { return }
        if !isShown { release(old.id, old.revision) }
        let place = regions.remove(slot: slot)
        if place?.state != nil { store(.putPlace(revision: old.revision, nil)) }
        store(.removeRequest(revision: old.revision))
        remember {
            $0.writeEntry(old)
            guard let (region, state) = place, let slot = $0.entries.slot(of: old.id) else { return }
            $0.regions.insert(region, slot: slot, revision: old.revision)
            $0.regions.set(state, of: slot)
        }
    }

    mutating func setRegion(_ slot: Int32, _ entry: ScheduleEntry, _ new: RegionProgress?) {
        let old = regions.states[slot]
        guard new != old else { return }
        let id = entry.id
        remember { if let slot = $0.entries.slot(of: id) { $0.regions.set(old, of: slot) } }
        store(.putPlace(revision: entry.revision, new))
        regions.set(new, of: slot)
    }

    mutating func setMarks(_ new: RegionMarks) {
        let old = regions.marks
        guard new != old else { return }
        remember { $0.regions.set(old) }
        store(.putPlaceMarks(new))
        regions.set(new)
    }

    mutating func setNotice(_ new: NoticeState) {
        let old = writeNotice(new)
        old.forEachContent { record in
            guard !new.needs(revision: record.revision) else { return }
            release(record.summary?.members.last?.requestID ?? old.id, record.revision)
        }
        // Checked here, too: every outcome of a delivery is a fact, so the copy for undoing it would be wasted.
        if !log.current.isFact { remember { $0.writeNotice(old) } }
    }

    mutating func setArrivals(_ thread: String, _ new: [ArrivalTable.Arrival]) {
        let old = arrivals[thread]
        remember { $0.arrivals[thread] = old }
        arrivals[thread] = new
    }

    @discardableResult
    private mutating func writeEntry(_ new: ScheduleEntry) -> ScheduleEntry? {
        entries.set(new, isDeferred: isDeferred(new.doubtItem))
    }

    @discardableResult
    private mutating func writeNotice(_ new: NoticeState) -> NoticeState {
        notices.set(new, doubt: clock.doubt)
    }
}

// The current transaction and its outcome.
extension Schedule {
    mutating func store(_ record: StoreChange) { log.current.records.append(record) }
    mutating func emit(_ effect: ScheduleEffect) { log.current.effects.append(effect) }
    mutating func remember(_ restore: @escaping @Sendable (inout Schedule) -> Void) { log.current.remember(restore) }
    /// Records that a change no longer references a content.
    mutating func release(_ id: String, _ revision: Int64) { log.current.released.append((id, revision)) }

    mutating func takeTransaction() -> ScheduleTransaction {
        dropUnneededContent()
        return log.take()
    }

    /// Restores the state before the current change.
    mutating func discardChanges() {
        for step in log.current.undo.reversed() { step.restore(&self) }
        log.current = ScheduleTransaction()
    }

    /// Drops contents that old values referred to and nothing refers to any more.
    private mutating func dropUnneededContent() {
        let released = log.current.released
        var seen: Set<Int64> = []
        for (id, revision) in released where !isNeeded(id, revision: revision) {
            guard released.count == 1 || seen.insert(revision).inserted else { continue }
            store(.dropContent(revision: revision))
        }
    }

    /// Records that the last transaction was stored.
    mutating func stored(at now: TriggerInstant) {
        clock.advance(to: now)
        log.succeed()
    }

    /// Restores the state before transactions that could not be stored. Facts stay, and are stored with the next
    /// transaction.
    mutating func undo(_ transactions: [ScheduleTransaction], at now: TriggerInstant, pausing: Bool = true) {
        clock.advance(to: now)
        // Undo the latest first.
        for transaction in transactions.reversed() {
            log.fail(transaction, at: now.boot, pausing: pausing)
            for step in transaction.undo.reversed() { step.restore(&self) }
            let excess = positions.waitAgain(transaction.fixes)
            if excess > 0 { _ = positions.ignore(.tooMany, count: excess) }
        }
    }
}
