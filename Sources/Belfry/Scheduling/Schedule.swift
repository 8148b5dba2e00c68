import BelfryRecurrence

/// Decides when notices are delivered: a pure value without I/O, clock or randomness.
///
/// Apps make calls in ``change(at:_:)``, and outside events are passed to ``handle(_:at:)``. Both return the records to
/// store and the effects that follow. Property tests check these laws: the same events at the same instants have the
/// same effects; the reason for a delivery is stored before it is made; a failed transaction restores the state; ties
/// fire in the order of adding; repeats keep their phase; a removed request delivers nothing. Adding, removing, firing
/// and the next wake-up are O(log n).
///
/// The value is changed in place, and copied only for what takes long anyway: a copy of a million entries takes a third
/// of a second.
struct Schedule: Sendable {
    var entries = RequestTable()
    var notices = NoticeTable()
    var owners = OwnerTable()
    var quiet: QuietWatch?
    /// The regions of pending requests: undone with the transaction that changes them.
    var regions = RegionTable()
    /// The received location fixes and the demand: never undone.
    var positions = LocationWatch()
    var feeds = FeedTable()
    var arrivals = ArrivalTable()

    let limit: CenterOptions.PendingLimit?
    var clock: ScheduleClock
    var isRunning = false
    var log = TransactionLog()

    init(limit: CenterOptions.PendingLimit? = nil, zone: ZoneRules, at now: TriggerInstant) {
        self.limit = limit
        clock = ScheduleClock(zone: zone, at: now)
    }

    var now: TriggerInstant { clock.now }
    var context: TriggerContext { clock.context }

    /// Handles what happened at `now`. The effects may be performed when the transaction is stored.
    mutating func handle(_ event: ScheduleEvent, at now: TriggerInstant) -> ScheduleTransaction {
        clock.advance(to: now)
        log.current = ScheduleTransaction(isFact: event.isFact)
        switch event {
        case .restored(let state, let bootID, let isSynchronized):
            restore(state, bootID: bootID, isSynchronized: isSynchronized)
        case .started: isRunning = true
        case .stopped:
            isRunning = false
            // The last chance to store facts whose transactions failed.
            log.endPause()
        case .woke:
            endDoubtInTime()
            positions.endRetry(at: now.boot)
            feeds.endRetries(at: now.boot)
            fireWhatIsDue()
        case .positionFix(let fix): receive(fix)
        case .positionsDropped(let count): positionsDropped(count)
        case .positionLost(let error): positionLost(error)
        case .feedReturned(let query, let result): process(result, of: query)
        case .feedFailed(let query, let error): feedFailed(query, error)
        case .clockSet: clockWasSet()
        case .clockSynchronized: endDoubt()
        case .zoneChanged(let zone): zoneChanged(to: zone)
        case .delivered(let reference, let receipt, let reportsDismissal):
            delivered(reference, receipt, reportsDismissal: reportsDismissal)
        case .deliveryFailed(let reference, let error): deliveryFailed(reference, error)
        case .suppressed(let reference, let reason): suppressed(reference, reason: reason)
        case .givenToApp(let reference, let response): givenToApp(reference, response)
        case .responded(let response): received(response)
        case .closed(let key, let reason, let response): closed(key, reason, response: response)
        case .serverGone(let backend, let server): serverGone(backend: backend, server: server)
        case .serverCame(let backend, let server): serverCame(backend: backend, server: server)
        case .acknowledged(let responseID): store(.removeResponse(id: responseID))
        }
        return takeTransaction()
    }

    /// Makes a change for the app. If `decide` throws, nothing is changed; its result is valid once the change is
    /// stored.
    mutating func change<Result: Sendable, Failure: Error>(
        at now: TriggerInstant,
        _ decide: (inout Schedule) throws(Failure) -> Result
    ) throws(Failure) -> Change<Result> {
        clock.advance(to: now)
        log.current = ScheduleTransaction()
        do throws(Failure) {
            let result = try decide(&self)
            return Change(result: result, transaction: takeTransaction())
        } catch {
            discardChanges()
            throw error
        }
    }

    /// The next time for ``ScheduleEvent/woke``; nil if nothing will be due.
    var nextWake: WakeDeadline? {
        if let pausedUntil = log.pausedUntil { return WakeDeadline(wall: nil, boot: pausedUntil) }
        guard isRunning else { return nil }
        // The store works again: fixes that could not be stored are due.
        if !positions.waiting.isEmpty { return WakeDeadline(wall: nil, boot: now.boot) }
        let outside = earliest(clock.doubt?.nextLook, earliest(positions.retryAt, feeds.nextRetry))
        let boot = earliest(outside, earliest(entries.nextOnBoot, notices.nextOnBoot))
        return WakeDeadline(wall: earliest(entries.nextOnWall, notices.nextOnWall), boot: boot)
    }

    /// Returns the wall time of a pending request's next firing; nil if it waits for no time or is not pending.
    func nextDue(of id: String) -> Int64? {
        // No method as a function value: that would copy the schedule.
        let snoozed = notices[id]?.snoozed.map { snoozeEnd($0) }
        return earliest(entries[id].flatMap { wallDeadline(of: $0) }, snoozed)
    }

    /// The wall time of the next firing of all.
    var nextDue: Int64? {
        let snooze = notices.nextSnooze
        let onBoot = earliest(entries.nextOnBoot, snooze.boot).map { $0 - now.boot + now.wall }
        return earliest(onBoot, earliest(entries.nextOnWall, snooze.wall))
    }

    // MARK: The history

    /// - Parameters:
    ///   - subject: the request and its thread. The request is empty if the entry is about the whole store.
    ///   - state: the notice's new state, if the outcome doesn't imply it.
    mutating func record(
        _ subject: (id: String, thread: String?),
        _ outcome: HistoryEntry.Outcome,
        state: NoticeStatus? = nil,
        late: Int64? = nil,
        detail: String? = nil,
        errorCode: NoticeError.Code? = nil,
        backend: String? = nil
    ) {
        let entry = HistoryEntry(
            requestID: subject.id,
            date: now.date,
            outcome: outcome,
            late: late.map { .microseconds(max(0, $0)) },
            detail: detail,
            errorCode: errorCode,
            backend: backend,
            thread: subject.thread,
            state: state
        )
        store(.appendHistory(entry))
        emit(.record(entry))
    }
}

extension ScheduleEntry {
    /// What an entry of the history about it names.
    var subject: (id: String, thread: String?) { (id, traits.thread) }
}

extension DeliveryRecord {
    /// What an entry of the history about it names.
    var subject: (id: String, thread: String?) { (self.requestID, self.traits.thread) }
}
