// The calls of the app. A call throws if it is invalid, and then changes nothing; its result is valid once the change
// is stored.
extension Schedule {
    /// Adds requests: all of them, or only the valid ones.
    mutating func add(
        _ requests: [NoticeRequest],
        allOrNothing: Bool = true,
        at now: TriggerInstant
    ) throws(NoticeError) -> Change<NoticeCenter.AddReport> {
        try change(at: now) { schedule throws(NoticeError) in
            try schedule.insert(requests, allOrNothing: allOrNothing)
        }
    }

    /// Adds the requests of one series, limited to the room under the pending limit.
    mutating func addSeries(
        _ elements: [NoticeRequest],
        at now: TriggerInstant
    ) throws(NoticeError) -> Change<NoticeCenter.AddReport> {
        try change(at: now) { schedule throws(NoticeError) in try schedule.insertSeries(elements) }
    }

    /// Replaces an owner's requests with the wanted ones; a trial only reports what would change.
    mutating func synchronize(
        _ wanted: OwnedRequests,
        isTrial: Bool,
        at now: TriggerInstant
    ) throws(NoticeError) -> Change<NoticeCenter.SynchronizationReport> {
        try change(at: now) { schedule throws(NoticeError) in
            try schedule.replaceOwned(by: wanted, isTrial: isTrial)
        }
    }

    /// Shows a notice now, in one attempt. ``ScheduleEffect/conclude(_:_:)`` reports the outcome of the delivery.
    mutating func show(_ request: NoticeRequest, at now: TriggerInstant) -> Change<DeliveryReference> {
        change(at: now) { $0.deliverNow(request) }
    }

    /// Removes requests, and on demand also their delivered notices. The identifier of a series includes its elements.
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

    /// Snoozes the notice that a response belongs to.
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

    /// Removes notices from the screen; nil means all of them.
    mutating func removeDelivered(_ ids: [String]?, at now: TriggerInstant) -> Change<Void> {
        change(at: now) {
            for id in (ids ?? Array($0.notices.ids)).sorted() {
                $0.withdraw(id, detail: "taken down by the app")
            }
        }
    }

    /// Keeps the nearest regions of a feed pending.
    mutating func startMonitoring(_ feed: RegionFeed, at now: TriggerInstant) -> Change<Void> {
        change(at: now) { $0.watch(feed) }
    }

    mutating func stopMonitoring(_ id: String, at now: TriggerInstant) -> Change<Removal> {
        change(at: now) { $0.unwatch(feed: id) }
    }

    /// Stores settings that change nothing here. An empty list waits for earlier decisions to be stored.
    mutating func set(_ settings: [StoreChange], at now: TriggerInstant) -> Change<Void> {
        change(at: now) { schedule in settings.forEach { schedule.store($0) } }
    }
}
