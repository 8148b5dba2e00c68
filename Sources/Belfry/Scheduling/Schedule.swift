import BelfryRecurrence

/// Decides when: a pure value without I/O, without a clock of its own, without randomness.
///
/// What happens comes in through ``handle(_:at:)``, what is to be done comes out. The laws, each a property test: the
/// same events at the same instants give the same effects; what justifies a delivery is stored before it is made; a
/// failed commit leaves the state as it was; ties fire in the order of adding; repeats keep their phase; a removed
/// request delivers nothing. Adding, removing, firing and the next wake are O(log n).
///
/// The value is changed in place and is not meant to be copied: a copy of a million entries costs a third of a second.
struct Schedule: Sendable {
    var entries = RequestTable()
    var notices = NoticeTable()
    var owners = OwnerTable()
    var quiet: QuietWatch?
    /// The regions of pending requests, and the fixes that move across their borders.
    var places = PlaceTable()
    var positions = PositionWatch()
    var feeds = FeedTable()
    /// What came lately of threads that have a summary.
    var arrivals: [String: [Arrival]] = [:]

    let limit: PendingLimit?
    var context: TriggerContext
    /// The instant of the event at hand.
    var now: TriggerInstant
    var bootID = ""
    /// Wall clock minus boot clock when the wall clock was last known to be set: what a jump is measured by. Events that
    /// overtake the news of a clock set must not hide it.
    var wallOffset: Int64
    var isRunning = false
    var nextRevision: Int64 = 1

    /// The callers of removals that still wait for deliveries in the backend's hands.
    var cancelling: [Ticket: Cancellation] = [:]

    /// What the event at hand changes, and the transactions of those before it.
    var batch = ScheduleBatch()
    var commits = CommitLog()
    /// Misfires that wait for a wall clock that can be believed.
    var hold: MisfireHold?

    init(limit: PendingLimit? = nil, zone: ZoneRules, at now: TriggerInstant) {
        self.limit = limit
        context = TriggerContext(zone: zone)
        self.now = now
        wallOffset = now.wall - now.boot
    }

    /// Takes in what happened at `now` and tells what is to be done, in order.
    mutating func handle(_ event: ScheduleEvent, at now: TriggerInstant) -> [ScheduleEffect] {
        self.now = now
        switch event {
        case .committed(let id): return finish(id)
        case .commitFailed(let id, let error): return undo(id, because: error)
        case .restored(let state, let bootID, let isSynchronised):
            restore(state, bootID: bootID, isSynchronised: isSynchronised)
        case .started:
            isRunning = true
            positions.isStale = true
        case .stopped:
            isRunning = false
            positions.isStale = true
            // The last chance of facts that could not be stored so far.
            commits.endPause()
        case .added(let requests, let ticket): add(requests, ticket: ticket)
        case .addedSeries(let elements, let ticket): addSeries(elements, ticket: ticket)
        case .shown(let request, let ticket): show(request, ticket: ticket)
        case .synchronized(let wanted, let isTrial, let ticket): synchronize(wanted, isTrial: isTrial, ticket: ticket)
        case .removed(let ids, let ticket):
            disown(ids)
            remove(ids, outcome: .removed, detail: nil, ticket: ticket)
        case .removedAll(let ticket):
            disownAll()
            removeAll(ticket: ticket)
        case .endedSeries(let base, let ticket):
            disown([base])
            endSeries(base, except: nil, ticket: ticket)
        case .removedSeries(let base, let ticket):
            disown([base])
            removeSeries(base, ticket: ticket)
        case .snoozed(let response, let choice, let ticket): snooze(response, choice, ticket: ticket)
        case .quietHoursSet(let hours, let ticket): setQuietHours(hours, ticket: ticket)
        case .removedDelivered(let ids, let ticket): removeDelivered(ids, ticket: ticket)
        case .woke:
            endHoldInTime()
            endPositionRetry()
            feeds.endRetries(at: now.boot)
            fireWhatIsDue()
        case .positionFix(let fix): take(fix)
        case .positionsDropped(let count): lost(fixes: count)
        case .positionLost(let error): positionLost(error)
        case .feedKept(let feed, let ticket): keep(feed, ticket: ticket)
        case .feedEnded(let name, let ticket): endFeed(name, ticket: ticket)
        case .feedAnswered(let question, let answer): take(answer, to: question)
        case .feedFailed(let question, let error): feedFailed(question, error)
        case .clockSet:
            let jump = (now.wall - now.boot) - wallOffset
            clockWasSet()
            holdOn(afterJump: jump)
        case .clockSynchronised: endHold()
        case .zoneChanged(let zone): zoneChanged(to: zone)
        case .delivered(let reference, let receipt, let reportsDismissal):
            delivered(reference, receipt, reportsDismissal: reportsDismissal)
        case .deliveryFailed(let reference, let error): deliveryFailed(reference, error)
        case .suppressed(let reference, let reason): suppressed(reference, reason: reason)
        case .handedOver(let reference, let response): handedOver(reference, response)
        case .answered(let response): answered(response)
        case .closed(let key, let reason, let response): closed(key, reason, response: response)
        case .serverGone(let backend, let server): serverGone(backend: backend, server: server)
        case .serverCame(let backend, let server): serverCame(backend: backend, server: server)
        case .acknowledged(let responseID):
            batch.isFact = true
            batch.changes.append(.removeResponse(id: responseID))
        case .settings(let changes, let ticket):
            batch.changes.append(contentsOf: changes)
            answer(ticket, .done)
        }
        return closeBatch() + feedQuestions()
    }

    /// When ``ScheduleEvent/woke`` is wanted; nil when nothing is due at any time.
    var nextWake: WakeDeadline? {
        if let pausedUntil = commits.pausedUntil { return WakeDeadline(wall: nil, boot: pausedUntil) }
        guard isRunning else { return nil }
        // The store takes something again: what it has not taken is due.
        if !positions.waiting.isEmpty { return WakeDeadline(wall: nil, boot: now.boot) }
        let boot = [
            entries.nextOnBoot, notices.nextOnBoot, hold?.nextLook, positions.retryAt, feeds.nextRetry,
        ].compactMap { $0 }.min()
        let wall = [entries.nextOnWall, notices.nextOnWall].compactMap { $0 }.min()
        return WakeDeadline(wall: wall, boot: boot)
    }

    /// The wall time of a pending request's next firing; nil where it waits for no time or is not pending.
    func nextDue(of id: String) -> Int64? {
        let snoozed = notices[id]?.snoozed.map { snoozeEnd($0) }
        guard let due = entries[id].flatMap(wallDeadline) else { return snoozed }
        return min(due, snoozed ?? due)
    }

    /// The wall time of the next firing of all.
    var nextDue: Int64? {
        let snooze = notices.nextSnooze
        let onBoot = [entries.nextOnBoot, snooze.boot].compactMap { $0 }.min().map { $0 - now.boot + now.wall }
        return [entries.nextOnWall, snooze.wall, onBoot].compactMap { $0 }.min()
    }

    mutating func takeRevision() -> Int64 {
        defer { nextRevision += 1 }
        return nextRevision
    }

    mutating func answer(_ ticket: Ticket, _ value: TicketAnswer) {
        batch.tickets.append(ticket)
        batch.then.append(.answer(ticket, .success(value)))
    }

    /// Refuses the event at hand: nothing of it stays.
    mutating func refuse(_ ticket: Ticket, _ error: NoticeError) {
        revert(batch.undo)
        batch = ScheduleBatch()
        batch.then.append(.answer(ticket, .failure(error)))
    }

    /// - Parameters:
    ///   - thread: of the request or the delivery that the line is about.
    ///   - state: that the notice is in from now on, where the outcome doesn't say it.
    mutating func record(
        _ id: String,
        _ outcome: LedgerEntry.Outcome,
        thread: String?,
        state: NoticeStatus? = nil,
        late: Int64? = nil,
        detail: String? = nil,
        backend: String? = nil
    ) {
        let entry = LedgerEntry(
            requestID: id,
            at: now.date,
            outcome: outcome,
            late: late.map { .microseconds(max(0, $0)) },
            detail: detail,
            backend: backend,
            thread: thread,
            state: state
        )
        batch.changes.append(.appendLedger(entry))
        batch.then.append(.record(entry))
    }
}
