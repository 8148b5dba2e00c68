// What an app asks for. Each call throws what is wrong with it, and nothing of it stays then; what it returns holds
// when the change is stored.
extension Schedule {
    /// Adds requests: all of them, or those that nothing is wrong with.
    mutating func add(
        _ requests: [NoticeRequest],
        allOrNothing: Bool = true,
        at now: TriggerInstant
    ) throws(NoticeError) -> Change<NoticeCenter.AddReport> {
        try change(at: now) { schedule throws(NoticeError) in
            try schedule.insert(requests, allOrNothing: allOrNothing)
        }
    }

    /// Adds the requests of one series, cut to the room that a pending limit leaves.
    mutating func addSeries(
        _ elements: [NoticeRequest],
        at now: TriggerInstant
    ) throws(NoticeError) -> Change<NoticeCenter.AddReport> {
        try change(at: now) { schedule throws(NoticeError) in try schedule.insertSeries(elements) }
    }

    /// Makes an owner's requests what the owner wants; a trial only tells what would change.
    mutating func synchronize(
        _ wanted: OwnedRequests,
        isTrial: Bool,
        at now: TriggerInstant
    ) throws(NoticeError) -> Change<NoticeCenter.SynchronizationReport> {
        try change(at: now) { schedule throws(NoticeError) in
            try schedule.replaceOwned(by: wanted, isTrial: isTrial)
        }
    }

    /// Shows a notice now, in one attempt. The outcome of the delivery comes with a ``ScheduleEffect/conclude(_:_:)``.
    mutating func show(_ request: NoticeRequest, at now: TriggerInstant) -> Change<DeliveryReference> {
        change(at: now) { $0.deliverNow(request) }
    }

    /// Removes requests, and what is on the screen of them where that is asked for. The identifier of a series stands
    /// for its elements.
    mutating func remove(_ ids: [String], includingDelivered: Bool, at now: TriggerInstant) -> Change<Removal> {
        change(at: now) {
            $0.disown(ids)
            if includingDelivered { for id in ids { $0.withdrawAll(of: id) } }
            return $0.remove(ids)
        }
    }

    mutating func removeAll(at now: TriggerInstant) -> Change<Removal> {
        change(at: now) {
            $0.disownAll()
            return $0.removeEverything()
        }
    }

    /// Snoozes the notice that had a response.
    mutating func snooze(
        _ response: NoticeResponse,
        _ choice: SnoozeChoice,
        at now: TriggerInstant
    ) throws(NoticeError) -> Change<Void> {
        try change(at: now) { schedule throws(NoticeError) in try schedule.snooze(response, choice) }
    }

    mutating func setQuietHours(_ hours: QuietHours?, at now: TriggerInstant) -> Change<Void> {
        change(at: now) { $0.replaceQuietHours(with: hours) }
    }

    /// Takes notices off the screen; nil is all of them.
    mutating func removeDelivered(_ ids: [String]?, at now: TriggerInstant) -> Change<Void> {
        change(at: now) {
            for id in (ids ?? Array($0.notices.ids)).sorted() {
                $0.withdraw(id, detail: "taken down by the app")
            }
        }
    }

    /// Keeps the nearest regions of a source pending.
    mutating func startMonitoring(_ feed: RegionFeed, at now: TriggerInstant) -> Change<Void> {
        change(at: now) { $0.watch(feed) }
    }

    mutating func stopMonitoring(_ id: String, at now: TriggerInstant) -> Change<Removal> {
        change(at: now) { $0.unwatch(feed: id) }
    }

    /// Stores settings that decide nothing here. Without any it waits for what is decided before it.
    mutating func set(_ settings: [StoreChange], at now: TriggerInstant) -> Change<Void> {
        change(at: now) { schedule in settings.forEach { schedule.store($0) } }
    }
}
