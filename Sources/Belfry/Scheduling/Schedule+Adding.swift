import FoundationEssentials

// Adding requests. Like all calls of the app, these are made in ``Schedule/change(at:_:)``.
extension Schedule {
    /// Adds requests: all of them, or only the valid ones.
    mutating func add(
        _ requests: [NoticeRequest],
        allOrNothing: Bool = true
    ) throws(NoticeError) -> NoticeCenter.AddReport {
        var report = NoticeCenter.AddReport(added: [])
        report.refused = try requests.accepted(allOrNothing: allOrNothing) { request throws(NoticeError) in
            try addOne(request, mayBePast: false, report: &report)
            takeFromFeeds([request.id])
        }.refused
        return finished(report)
    }

    /// Adds the requests of one series, limited to the room under the pending limit.
    mutating func addSeries(_ elements: [NoticeRequest]) throws(NoticeError) -> NoticeCenter.AddReport {
        var report = NoticeCenter.AddReport(added: [])
        takeFromFeeds(elements.lazy.map(\.id))
        if let base = elements.first?.series { report.warnings = warnings(of: base, beside: elements) }
        let firstRecord = log.current.records.count
        // The call may have waited for its turn longer than a short spacing.
        for element in cutToRoom(elements, &report) { try addOne(element, mayBePast: true, report: &report) }
        setKept(since: firstRecord, kept: report.added.count)
        return finished(report)
    }

    /// Warns of the elements of an earlier series with the same identifier, which stay.
    private func warnings(of base: String, beside elements: [NoticeRequest]) -> [String] {
        guard let pending = entries.members[base] else { return [] }
        let left = pending.subtracting(elements.lazy.map(\.id)).count
        guard left > 0 else { return [] }
        return ["\(left) pending elements of an earlier series '\(base)' stay: remove '\(base)' first to replace them."]
    }

    /// Returns the elements of a series that fit under the pending limit. Returns all of them if none fits: the
    /// overflow rule of the limit then decides.
    mutating func cutToRoom(_ elements: [NoticeRequest], _ report: inout NoticeCenter.AddReport) -> ArraySlice<
        NoticeRequest
    > {
        let room = room(for: elements)
        guard room > 0, room < elements.count else { return elements[...] }
        for element in elements.dropFirst(room) {
            report.dropped.append(element.id)
            let detail = "the pending limit left room for \(room) of \(elements.count)"
            record((element.id, DeliveryTraits(element).thread), .dropped, detail: detail)
        }
        return elements.prefix(room)
    }

    /// Records in the stored elements how many elements of their series were kept.
    mutating func setKept(since first: Int, kept: Int) {
        log.current.updateStored(since: first) { request in
            guard let place = request.seriesPosition, place.kept != kept else { return nil }
            var request = request
            request.seriesPosition?.kept = kept
            return request
        }
    }

    /// Returns how many of the first elements fit under the limit. Elements that are pending already need no room.
    private func room(for elements: [NoticeRequest]) -> Int {
        guard let limit else { return elements.count }
        var free = limit.count - pendingCount
        for (number, element) in elements.enumerated() where !isPending(element.id) {
            guard free > 0 else { return number }
            free -= 1
        }
        return elements.count
    }

    private func finished(_ report: NoticeCenter.AddReport) -> NoticeCenter.AddReport {
        var report = report
        var next: Int64?
        // A closure would copy the schedule.
        for id in report.added { next = earliest(next, nextDue(of: id)) }
        report.next = next.map(Date.init(microsecondsSince1970:))
        return report
    }

    mutating func addOne(
        _ request: NoticeRequest,
        mayBePast: Bool,
        report: inout NoticeCenter.AddReport
    ) throws(NoticeError) {
        var entry = newEntry(request)
        try plan(&entry, mayBePast: mayBePast)
        let isShownNow = entry.timing.isImmediate && isRunning
        if !isShownNow { try checkRoom(for: request.id) }
        cancelSnooze(request.id, .replaced, nil)
        endRequest(request.id, .replaced, detail: nil)
        if isShownNow {
            deliver(entry, of: request)
            report.added.append(request.id)
            return
        }
        setEntry(entry, region: (request.trigger as? any RegionTrigger)?.region)
        store(.putRequest(request, revision: entry.revision, entry.progress))
        report.added.append(request.id)
        dropOverflow(&report)
    }

    /// Throws if the pending limit refuses one more request. A request that is pending already needs no room.
    private func checkRoom(for id: String) throws(NoticeError) {
        guard let limit, limit.overflow == .refuse else { return }
        let others = pendingCount - (isPending(id) ? 1 : 0)
        guard others < limit.count else {
            throw NoticeError(
                .pendingLimitReached,
                "\(others) requests are pending and the limit is \(limit.count): remove some, or raise the limit."
            )
        }
    }

    /// Delivers a notice now, in one attempt. ``ScheduleEffect/conclude(_:_:)`` reports the outcome of the delivery.
    mutating func show(_ request: NoticeRequest) -> DeliveryReference {
        deliver(newEntry(request), of: request, isAwaited: true)
    }

    @discardableResult
    private mutating func deliver(
        _ entry: ScheduleEntry,
        of request: NoticeRequest,
        isAwaited: Bool = false
    ) -> DeliveryReference {
        store(.putRequest(request, revision: entry.revision, entry.progress))
        store(.removeRequest(revision: entry.revision))
        return deliver(entry, dueAt: now, isAwaited: isAwaited)
    }

    private mutating func newEntry(_ request: NoticeRequest) -> ScheduleEntry {
        let revision = entries.takeRevision()
        let progress = TriggerProgress(anchor: now.wall)
        return ScheduleEntry(request, revision: revision, progress: progress, sharing: &entries.rules)
    }

    /// Sets the first deadline of a new entry.
    private mutating func plan(_ entry: inout ScheduleEntry, mayBePast: Bool) throws(NoticeError) {
        switch entry.timing {
        case .immediate: entry.deadline = now.boot
        case .elapsed(let interval, let startsNow, _):
            entry.progress.anchor = now.boot
            entry.deadline = now.boot + (startsNow ? 0 : interval)
        case .wallClock(let source, _):
            if source.followsSystemZone { entry.progress.lastLocal = Self.local(now.wall, in: context) }
            if mayBePast, case .date(let date) = source, date <= now.wall {
                entry.deadline = date
            } else if let next = source.next(after: now.wall, in: context) {
                guard next > now.wall else { throw Self.notAdvancing(entry.id, source) }
                entry.deadline = next
            } else {
                throw NoticeError(
                    .neverFires,
                    "The request '\(entry.id)' can never fire: \(reason(source))."
                )
            }
        case .region(let rule):
            guard rule.window?.hasMinute(since: now.wall, in: context.zone) ?? true else {
                throw NoticeError(
                    .neverFires,
                    "The request '\(entry.id)' can never fire: no minute from now, \(now.date.formatted(.iso8601)), on "
                        + "matches '\(rule.key.during ?? "")'."
                )
            }
        case .dormant: break
        }
    }

    static func notAdvancing(_ id: String, _ source: DateSource) -> NoticeError {
        NoticeError(
            .triggerNotAdvancing,
            "The trigger of '\(id)' (kind '\(source.kind.rawValue)') returned a date that is not after the one "
                + "it was given; it was stopped. Correct its nextDate(after:in:)."
        )
    }

    private func reason(_ source: DateSource) -> String {
        let text = { (instant: Int64) in Date(microsecondsSince1970: instant).formatted(.iso8601) }
        if case .date(let date) = source { return "its date \(text(date)) is not after now, \(text(now.wall))" }
        let reason = "no date after now, \(text(now.wall)), matches"
        if let end = source.end {
            let verb = end.microsecondsSince1970 < now.wall ? "ended" : "ends"
            // Its first date would be one of the year 1, unless it has a beginning, too.
            return "\(reason): it \(verb) on \(end.formatted(.iso8601))"
        }
        let first = source.next(after: Date.distantPast.microsecondsSince1970, in: context)
        return reason + (first.map { ": its dates began at \(text($0))" } ?? "")
    }

    /// Drops requests by the limit's rule until the pending ones fit. They are sorted once: an app may have lowered the
    /// limit since they were added. O(n log n).
    ///
    /// Snoozed notices and their requests are not dropped, because that would make no room.
    private mutating func dropOverflow(_ report: inout NoticeCenter.AddReport) {
        guard let limit, limit.overflow != .refuse else { return }
        let excess = pendingCount - limit.count
        guard excess > 0 else { return }
        let all = entries.all.filter { !notices.snoozedIDs.contains($0.id) }
        // One is the usual number, and is found without sorting.
        let victims =
            excess == 1
            ? all.min { drops($0, before: $1, limit.overflow) }.map { [$0] } ?? []
            : Array(all.sorted { drops($0, before: $1, limit.overflow) }.prefix(excess))
        for victim in victims {
            endRequest(victim.id, .dropped, detail: "made room under the pending limit of \(limit.count)")
        }
        noteDropped(victims)
        report.dropped += victims.map(\.id)
        let dropped = Set(victims.map(\.id))
        report.added.removeAll { dropped.contains($0) }
    }

    private func drops(
        _ one: ScheduleEntry,
        before other: ScheduleEntry,
        _ overflow: CenterOptions.PendingLimit.Overflow
    ) -> Bool {
        switch overflow {
        case .keepSoonest:
            (wallDeadline(of: one) ?? .max, one.revision) > (wallDeadline(of: other) ?? .max, other.revision)
        case .refuse, .keepHighestPriority:
            (one.level, one.relevance, other.revision) < (other.level, other.relevance, one.revision)
        }
    }
}
