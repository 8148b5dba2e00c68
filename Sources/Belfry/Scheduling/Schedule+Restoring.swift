import BelfryRecurrence
import FoundationEssentials

/// The conversion of stored times to the current clocks.
private struct RestoreFrame {
    var mapping: ClockMapping?
    var bootID: String
    var now: TriggerInstant
    /// The estimated difference between the wall clock and its expected time.
    var jump: Int64
    /// How far the wall clock is ahead of its last trusted time.
    var ahead: Int64 { max(0, jump + (mapping?.doubt?.ahead ?? 0)) }
    /// The system's zone when the mapping was stored.
    let context: TriggerContext

    init(_ mapping: ClockMapping?, bootID: String, now: TriggerInstant, zone: ZoneRules) {
        self.mapping = mapping
        self.bootID = bootID
        self.now = now
        let earlier = mapping.flatMap { $0.zone == zone.identifier ? nil : try? ZoneRules.named($0.zone) }
        context = TriggerContext(zone: earlier ?? zone)
        guard let mapping else {
            jump = 0
            return
        }
        let expected =
            mapping.bootID == bootID ? mapping.instant.wall - mapping.instant.boot + now.boot : mapping.instant.wall
        jump = now.wall - expected
    }

    /// Whether nobody knows of which boot stored readings are. Each opening stores the mapping before anything is
    /// added, so only a damaged store lacks it.
    var isOfUnknownBoot: Bool { mapping == nil }

    /// The mapping, if stored boot-clock readings are from an earlier boot.
    var earlierBoot: ClockMapping? { mapping.flatMap { $0.bootID == bootID ? nil : $0 } }
    var forgetsAll: Bool { -jump > Schedule.implausibleSetback }

    /// Returns the doubt to begin, or to take up; nil if the clock is not far enough ahead, or if the time is over.
    ///
    /// - Parameter nextRevision: greater than all that are stored.
    func doubt(nextRevision: Int64) -> ClockMapping.Doubt? {
        guard ahead > Schedule.implausibleSetback else { return nil }
        var doubt = ClockMapping.Doubt(ahead: ahead, until: now.boot + ClockDoubt.limit, convertedBelow: nextRevision)
        guard earlierBoot == nil else { return doubt }
        // Readings of this boot's clock are right, except those that the doubtful clock has converted.
        (doubt.until, doubt.convertedBelow) = mapping?.doubt.map { ($0.until, $0.convertedBelow) } ?? (doubt.until, 0)
        return now.boot < doubt.until ? doubt : nil
    }

    /// How far the clock was ahead when it converted stored readings; nil if it did not.
    private func doubtfulConversion(of revision: Int64) -> Int64? {
        mapping?.doubt.flatMap { revision < $0.convertedBelow ? $0.ahead : nil }
    }

    /// Whether stored readings of the boot clock have to be converted.
    func converts(_ revision: Int64) -> Bool {
        isOfUnknownBoot || earlierBoot != nil || doubtfulConversion(of: revision) != nil
    }

    /// Returns the boot time of an instant on the wall clock, at most now.
    func bootTime(ofWall wall: Int64, revision: Int64) -> Int64 {
        guard let mapping else { return min(now.boot, wall - now.wall + now.boot) }
        let stored = wall - mapping.instant.wall + mapping.instant.boot
        return min(now.boot, bootTime(stored, revision: revision))
    }

    /// Converts a stored reading of the boot clock to this boot. If the wall clock shows less than it did then, it is
    /// wrong, and no time counts as passed; or it was wrong then, and too much counted.
    func bootTime(_ stored: Int64, revision: Int64) -> Int64 {
        guard converts(revision) else { return stored }
        let passed = max(jump, -(doubtfulConversion(of: revision) ?? 0))
        let start = earlierBoot.map { now.boot - $0.instant.boot } ?? 0
        return stored + start - passed
    }

    /// Converts a stored instant to this boot's clock: that of an unknown boot by its wall time.
    func bootTime(of stored: TriggerInstant, revision: Int64) -> Int64 {
        isOfUnknownBoot ? stored.wall - now.wall + now.boot : bootTime(stored.boot, revision: revision)
    }

    /// Converts a stored delivery that has not been shown to this boot's clock.
    func converted(_ stored: DeliveryRecord) -> DeliveryRecord {
        guard converts(stored.revision) else { return stored }
        func bootTime(_ instant: TriggerInstant) -> Int64 { self.bootTime(of: instant, revision: stored.revision) }
        var delivery = stored
        delivery.dueAt.boot = bootTime(stored.dueAt)
        if let released = stored.releasedAt { delivery.releasedAt?.boot = bootTime(released) }
        if case .snoozedOnBoot(let until)? = stored.wait {
            // It is due at the end of the snooze.
            delivery.wait = .snoozedOnBoot(until: bootTime(TriggerInstant(wall: stored.dueAt.wall, boot: until)))
        }
        return delivery
    }
}

/// The results of restoring, applied together at the end: a heap of a million deadlines is built at once.
private struct RestoreHarvest {
    var wall: [DeadlineQueue.Item] = []
    var boot: [DeadlineQueue.Item] = []
    var forgotten = 0
    /// The states of regions, by revision.
    let places: [Int64: RegionProgress]
    /// Whether two requests have the same identifier, which only a damaged store contains.
    var hasTwins = false
    /// The timings of triggers that requests share.
    private var timings: [ObjectIdentifier: ScheduleEntry.Timing] = [:]

    init(places: [Int64: RegionProgress]) { self.places = places }

    mutating func timing(_ stored: StoredTrigger, sharing rules: inout RuleTable) -> ScheduleEntry.Timing {
        switch stored {
        case .none: return .immediate
        case .date(let trigger): return .wallClock(.date(trigger.date.microsecondsSince1970), times: 1)
        case .interval(let trigger): return .elapsed(trigger)
        case .place(_, let shared), .other(let shared):
            if let known = timings[shared.identity] { return known }
            let timing = ScheduleEntry.Timing(shared.value, sharing: &rules)
            timings[shared.identity] = timing
            return timing
        }
    }
}

extension Schedule {
    /// Continues where an earlier process stopped. O(n).
    mutating func restore(_ state: StoredState, bootID: String, isSynchronized: Bool) {
        clock.begin(bootID: bootID)
        _ = clock.map()
        quiet = state.quietHours.map(QuietWatch.init)
        entries.skipRevisions(below: state.nextRevision)
        let frame = RestoreFrame(state.clockMapping, bootID: bootID, now: now, zone: context.zone)
        // Deliveries first, because the content of a request with no date left may still be needed.
        let deliveries = state.deliveries.sorted {
            ($0.revision, $0.dueAt.wall, $0.id) < ($1.revision, $1.dueAt.wall, $1.id)
        }
        if !isSynchronized, let doubt = frame.doubt(nextRevision: entries.nextRevision) { beginDoubt(doubt) }
        for delivery in deliveries { restore(delivery, frame) }
        var harvest = RestoreHarvest(places: state.places)
        restoreMarks(state)
        entries.reserveCapacity(entries.count + state.pending.count)
        for index in state.pending.indices { restore(state.pending[index], frame, &harvest) }
        queueAll(harvest)
        if harvest.forgotten > 0 { recordForgotten(harvest.forgotten, setBackBy: -frame.jump) }
        for dormant in state.dormant {
            let thread = entries[dormant.requestID]?.traits.thread
            let detail = "trigger '\(dormant.kind.rawValue)': \(dormant.reason)"
            record((dormant.requestID, thread), .dormant, detail: detail)
        }
        for response in state.responses { emit(.publish(response)) }
        for (owner, entries) in state.owners {
            let owner = RequestOwner(storedName: owner)
            owners.set(owner, Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last }))
        }
        feeds.restore(state.feeds)
        storeMapping()
        // The zone may have changed, or the clock.
        replanSnoozes()
        // A preview may know of a deferral and not of the hours.
        if quiet != nil { reconsiderQuiet() }
    }

    private mutating func queueAll(_ harvest: RestoreHarvest) {
        func unique(_ items: [DeadlineQueue.Item]) -> [DeadlineQueue.Item] {
            harvest.hasTwins ? items.filter { entries[$0.slot]?.revision == $0.order } : items
        }
        entries.wallQueue = DeadlineQueue(unique(harvest.wall))
        entries.bootQueue = DeadlineQueue(unique(harvest.boot))
    }

    private mutating func restore(
        _ pending: StoredState.Pending,
        _ frame: RestoreFrame,
        _ harvest: inout RestoreHarvest
    ) {
        var entry = ScheduleEntry(pending, harvest.timing(pending.stored, sharing: &entries.rules))
        entries.skipRevisions(below: pending.revision + 1)
        var latest: Int64?
        switch entry.timing {
        case .immediate:
            // The center did not run when it was added.
            entry.deadline = frame.bootTime(ofWall: entry.progress.anchor, revision: entry.revision)
            if frame.converts(entry.revision) { latest = now.boot }
        case .elapsed(let interval, let startsNow, _):
            let span = ScheduleEntry.Timing.span(interval, startsNow: startsNow, fired: entry.progress.fired)
            if frame.isOfUnknownBoot {
                // Begun anew, it is late by an interval at most, and never early.
                entry.progress.anchor = now.boot + interval - span
                store(.updateProgress(revision: entry.revision, entry.progress))
            } else if frame.converts(entry.revision) {
                // Even if the wall clock is wrong, the last firing is past: the next is at most an interval away.
                let anchor = frame.bootTime(entry.progress.anchor, revision: entry.revision)
                entry.progress.anchor = min(anchor, now.boot + interval - span)
                // Stored together with the mapping of this boot, which applies to it from now on.
                store(.updateProgress(revision: entry.revision, entry.progress))
                latest = now.boot + interval
            }
            entry.deadline = entry.progress.anchor + span
        case .wallClock(let source, _):
            let isOld = addLocalTime(to: &entry, frame)
            let (wasForgotten, wasMoved) = entry.pullBack(to: now.wall, forgettingAll: frame.forgetsAll, in: context)
            if wasForgotten { harvest.forgotten += 1 }
            if isOld || wasForgotten || wasMoved {
                store(.updateProgress(revision: entry.revision, entry.progress))
            }
            entry.deadline = firstDeadline(entry, source)
            guard entry.deadline != nil else { return leaveOut(entry) }
        case .region(let rule):
            var stay = harvest.places[entry.revision]
            if let since = stay?.since, frame.converts(entry.revision) {
                stay?.since?.boot = min(now.boot, frame.bootTime(of: since, revision: entry.revision))
                store(.putPlace(revision: entry.revision, stay))
            }
            entry.deadline = stay?.since.map { $0.boot + rule.dwell }
            let slot = insert(entry, latest: nil, &harvest)
            guard let region = pending.region else { return }
            // An invalid region exists only in a damaged file.
            do throws(NoticeError) { try region.validate() } catch { return emit(.report(error)) }
            regions.insert(region, slot: slot, revision: entry.revision)
            if let stay { regions.set(stay, of: slot) }
            return
        case .dormant: break
        }
        insert(entry, latest: latest, &harvest)
    }

    /// Adds the local time of the adding, which an earlier version did not store. Returns true if it was missing.
    private func addLocalTime(to entry: inout ScheduleEntry, _ frame: RestoreFrame) -> Bool {
        guard entry.followsSystemZone, entry.progress.lastDue == nil, entry.progress.lastLocal == nil else {
            return false
        }
        entry.progress.lastLocal = Self.local(entry.progress.anchor, in: frame.context)
        return true
    }

    private mutating func restoreMarks(_ state: StoredState) {
        var marks = state.placeMarks
        marks.forget(after: entries.nextRevision - 1)
        // Made by a clock that was ahead of the current one.
        if let last = marks.lastFix, last > now.wall { marks.lastFix = nil }
        positions.lastAt = marks.lastFix
        if marks != state.placeMarks { store(.putPlaceMarks(marks)) }
        regions.set(marks)
    }

    /// Inserts an entry outside the transaction: a million old values would be kept although this can't be undone.
    ///
    /// - Parameter latest: the latest possible deadline, if it was converted.
    @discardableResult
    private mutating func insert(
        _ entry: ScheduleEntry,
        latest: Int64?,
        _ harvest: inout RestoreHarvest
    ) -> Int32 {
        let (slot, twin) = entries.restore(entry)
        if let twin {
            harvest.hasTwins = true
            if regions.remove(slot: slot)?.state != nil { store(.putPlace(revision: twin.revision, nil)) }
            store(.removeRequest(revision: twin.revision))
            release(twin.id, twin.revision)
        }
        if let latest { clock.doubt?.convert(entry.doubtItem, latest: latest) }
        guard let deadline = entry.deadline else { return slot }
        if clock.doubt != nil, entry.isMisfire(at: now) {
            clock.doubt?.defer(entry.doubtItem)
            return slot
        }
        let item = DeadlineQueue.Item(deadline: deadline, order: entry.revision, slot: slot)
        if entry.waitsOnBootClock { harvest.boot.append(item) } else { harvest.wall.append(item) }
        return slot
    }

    /// Leaves out a request that has no date left.
    private mutating func leaveOut(_ entry: ScheduleEntry) {
        store(.removeRequest(revision: entry.revision))
        release(entry.id, entry.revision)
        record(entry.subject, .missed, detail: Self.noDateLeft)
    }

    static let noDateLeft = "it has no date left"

    /// Returns the next firing: after the last one, or after the request was added.
    private func firstDeadline(_ entry: ScheduleEntry, _ source: DateSource) -> Int64? {
        // The first element of a series may have been due when it was added.
        if case .date(let date) = source { return date }
        return source.next(after: floor(of: entry, source), in: context)
    }

    private mutating func restore(_ stored: DeliveryRecord, _ frame: RestoreFrame) {
        var state = notices[stored.requestID] ?? NoticeState(id: stored.requestID)
        if let delivered = NoticeState.Delivered(stored) {
            state.delivered = delivered
            if frame.earlierBoot == nil, !frame.isOfUnknownBoot { restoreArrival(stored) }
            return setNotice(state)
        }
        let delivery = frame.converted(stored)
        let isConverted = frame.converts(stored.revision)
        if isConverted {
            var latest = now.boot
            if case .snoozedOnBoot(let until)? = delivery.wait { latest = until + frame.ahead }
            clock.doubt?.convert(delivery.doubtItem, latest: latest)
            store(.putDelivery(delivery))
        }
        if delivery.wait?.isSnooze ?? false {
            if let earlier = state.snoozed { supersede(NoticeState.Occurrence(record: earlier)) }
            if snoozeEnd(delivery) <= now.wall { clock.doubt?.defer(delivery.doubtItem) }
            state.snoozed = delivery
            return setNotice(state)
        }
        // If several were begun, only the latest is needed.
        if let earlier = state.underWay { supersede(earlier.occurrence) }
        var underWay = NoticeState.UnderWay(occurrence: NoticeState.Occurrence(record: delivery))
        if case .quietHours(let until)? = delivery.wait {
            underWay.phase = .deferred(until: until)
            underWay.isPossiblyRepeated = delivery.wasBegun
            if until <= now.wall { clock.doubt?.defer(delivery.doubtItem) }
        } else {
            // How late it is may decide whether it is shown at all.
            if isConverted { clock.doubt?.defer(delivery.doubtItem) }
            // Begun and never confirmed: repeated rather than lost.
            underWay.phase = .retry(at: now.boot)
            underWay.isPossiblyRepeated = true
            underWay.failure = "it was under way when the program ended"
        }
        state.underWay = underWay
        setNotice(state)
    }
}

extension StoredState.Pending {
    /// The region that it waits for; nil if none.
    fileprivate var region: CircularRegion? {
        switch stored {
        case .place(let region, _): region
        case .other(let shared): (shared.value as? any RegionTrigger)?.region
        case .none, .date, .interval: nil
        }
    }
}
