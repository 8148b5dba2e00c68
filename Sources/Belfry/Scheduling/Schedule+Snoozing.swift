import BelfryRecurrence
import FoundationEssentials

// A snoozed notice is pending again, in addition to its request. It is part of the notice's state, with its own
// deadline, and is stored as a waiting delivery. The request's own firings keep their phase.
extension Schedule {
    /// Snoozes a notice on behalf of the app, after a response. A notice still on the screen is withdrawn; one that the
    /// response has removed is repeated unchanged.
    mutating func snooze(_ response: NoticeResponse, _ choice: SnoozeChoice) throws(NoticeError) {
        let (wait, until) = wait(for: choice)
        guard until.wall > now.wall else {
            throw NoticeError(
                .neverFires,
                "A snooze until \(Self.text(until.wall)), which is not after now, \(Self.text(now.wall))."
            )
        }
        if let delivered = notices[response.requestID]?.delivered, delivered.deliveryID == response.deliveryID {
            return snooze(delivered, choice, nil)
        }
        guard var request = response.request else {
            throw NoticeError(
                .notFound,
                "The response '\(response.id)' does not contain its request, so nothing can be shown again."
            )
        }
        request.id = response.requestID
        request.trigger = nil
        let revision = entries.takeRevision()
        store(.putRequest(request, revision: revision, TriggerProgress(anchor: now.wall)))
        store(.removeRequest(revision: revision))
        var record = DeliveryRecord(
            id: Self.deliveryID(revision: revision, fired: 0, at: now),
            requestID: request.id,
            revision: revision,
            dueAt: until,
            traits: DeliveryTraits(request)
        )
        // A count beyond the bound could not be read at the next start. A response from another process may have any.
        record.snoozes = min(max(0, response.snoozeCount), NumberBounds.greatestCount - 1) + 1
        record.wait = wait
        // After a dismissal the request may still be pending. A response to the snoozed notice is one to it, too.
        if let pending = entries[request.id]?.revision, pending == response.requestRevision {
            record.snoozedFrom = pending
        }
        keep(record, until)
        recordSnooze(record, until)
    }

    /// Withdraws a notice until later; `response` is set if the user pressed one of the center's own buttons.
    mutating func snooze(_ delivered: NoticeState.Delivered, _ choice: SnoozeChoice, _ response: NoticeResponse?) {
        let (wait, until) = wait(for: choice)
        forgetArrival(delivered.record)
        let record = delivered.record.snoozed(until: until, wait)
        if var response {
            response.snoozedUntil = until.date
            keep(response, about: record)
        } else {
            recordSnooze(record, until)
        }
        _ = clearDelivered(record.requestID)
        emit(.withdraw(delivered.receipt))
        keep(record, until)
    }

    private mutating func recordSnooze(_ delivery: DeliveryRecord, _ until: TriggerInstant) {
        let detail = "snoozed until \(Self.text(until.wall))"
        record(delivery.subject, .responded, state: .snoozed(until: until.date), detail: detail)
    }

    private mutating func keep(_ delivery: DeliveryRecord, _ until: TriggerInstant) {
        let id = delivery.requestID
        var state = notices[id] ?? NoticeState(id: id)
        if let earlier = state.snoozed {
            store(.removeDelivery(id: earlier.id))
            record(earlier.subject, .replaced, detail: "it was snoozed again")
        }
        store(.putDelivery(delivery))
        state.snoozed = delivery
        setNotice(state)
        guard let base = delivery.traits.series else { return }
        // The user wants to be notified later, not by the next element in five minutes.
        let detail = "its series was snoozed until \(Self.text(until.wall))"
        for member in (notices.members[base] ?? []).sorted() where member != id {
            withdraw(member, of: base, detail: detail)
            cancelDelivery(member, .missed, detail) { $0.traits.series == base }
        }
    }

    /// Returns the wait of a snooze, and its end on both current clocks.
    private func wait(for choice: SnoozeChoice) -> (DeliveryWait, TriggerInstant) {
        func onWall(_ wall: Int64) -> TriggerInstant {
            TriggerInstant(wall: wall, boot: now.boot + (wall - now.wall))
        }
        switch choice {
        case .after(let span):
            let length = span.microseconds
            let until = TriggerInstant(wall: now.wall + length, boot: now.boot + length)
            return (.snoozedOnBoot(until: until.boot), until)
        case .until(let date):
            let wall = date.microsecondsSince1970
            return (.snoozedOnWall(until: wall), onWall(wall))
        case .tomorrow(let hour, let minute):
            let day: Int64 = 86_400
            let today = Self.local(now.wall, in: context)
            let midnight = today - ((today % day) + day) % day
            let time = midnight + day + Int64(hour * 3_600 + minute * 60)
            let wall = wall(ofLocal: time)
            return (.snoozedToLocal(time: time, wall: wall), onWall(wall))
        }
    }

    /// Returns the wall time in microseconds of a local time in seconds.
    private func wall(ofLocal time: Int64) -> Int64 { context.zone.instant(ofLocal: time) * 1_000_000 }

    /// Returns the wall time of a snooze's end.
    func snoozeEnd(_ record: DeliveryRecord) -> Int64 {
        switch record.wait {
        case .snoozedOnBoot(let until): until - now.boot + now.wall
        case .snoozedOnWall(let until), .snoozedToLocal(_, let until), .quietHours(let until): until
        case nil: record.dueAt.wall
        }
    }

    /// Replans snoozes until a local time after a change of the zone.
    mutating func replanSnoozes() {
        for id in notices.snoozedIDs.sorted() {
            guard var state = notices[id], var record = state.snoozed,
                case .snoozedToLocal(let time, let before)? = record.wait
            else { continue }
            let wall = wall(ofLocal: time)
            guard wall != before else { continue }
            record.wait = .snoozedToLocal(time: time, wall: wall)
            store(.putDelivery(record))
            state.snoozed = record
            setNotice(state)
        }
    }

    /// Delivers the notices whose snooze has ended.
    mutating func endSnoozes() {
        let due = notices.takeSnoozes(dueAt: now).map { (snoozeEnd($0), $0) }
        for (end, record) in due.sorted(by: { ($0.0, $0.1.revision) < ($1.0, $1.1.revision) }) {
            endSnooze(record, late: max(0, now.wall - end))
        }
    }

    private mutating func endSnooze(_ waiting: DeliveryRecord, late: Int64) {
        var delivery = waiting
        delivery.wait = nil
        delivery.dueAt = TriggerInstant(wall: now.wall - late, boot: now.boot - late)
        guard var state = notices[delivery.requestID] else { return }
        state.snoozed = nil
        setNotice(state)
        if let detail = delivery.traits.misfire.refusal(ofLate: late) {
            store(.removeDelivery(id: delivery.id))
            return record(delivery.subject, .missed, late: late, detail: detail)
        }
        if summary(state.id) != nil {
            store(.removeDelivery(id: delivery.id))
            return record(delivery.subject, .replaced, detail: "a newer summary of its thread took its place")
        }
        store(.putDelivery(delivery))
        deliver(NoticeState.Occurrence(record: delivery), state)
    }

    /// Returns until when a firing is skipped because the user has snoozed an equivalent notice; nil if it is shown.
    ///
    /// Firings of a series, or of a request that repeats until the user responds, are equivalent. Other repetitions are
    /// separate occasions.
    func snoozeOver(_ entry: ScheduleEntry, dueAt: TriggerInstant) -> Int64? {
        guard !notices.snoozedIDs.isEmpty else { return nil }
        var end: Int64?
        if let base = entry.series, let ids = notices.members[base] {
            let snoozed = ids.compactMap { notices[$0]?.snoozed }.filter { $0.traits.series == base }
            end = snoozed.map { snoozeEnd($0) }.max()
        } else if entry.traits.endsWhenAnswered, let snoozed = notices[entry.id]?.snoozed {
            end = snoozeEnd(snoozed)
        }
        return end.flatMap { dueAt.wall <= $0 ? $0 : nil }
    }

    mutating func cancelSnooze(_ id: String, _ outcome: HistoryEntry.Outcome, _ detail: String?) {
        guard var state = notices[id], let snoozed = state.snoozed else { return }
        state.snoozed = nil
        setNotice(state)
        store(.removeDelivery(id: snoozed.id))
        record(snoozed.subject, outcome, detail: detail ?? "it was snoozed")
    }

    static func text(_ wall: Int64) -> String { Date(microsecondsSince1970: wall).formatted(.iso8601) }
}

extension DeliveryRecord {
    /// Returns the repeated delivery. Its new identifier distinguishes it from the one that was shown.
    fileprivate func snoozed(until: TriggerInstant, _ wait: DeliveryWait) -> DeliveryRecord {
        var record = self
        record.snoozes = min(record.snoozes + 1, NumberBounds.greatestCount)
        record.id = "\(id.prefix { $0 != "+" })+\(record.snoozes)"
        record.dueAt = until
        record.shownAt = nil
        record.receipt = nil
        record.releasedAt = nil
        record.wait = wait
        return record
    }
}
