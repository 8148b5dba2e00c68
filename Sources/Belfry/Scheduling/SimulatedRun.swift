package import BelfryRecurrence
package import FoundationEssentials

/// A schedule in simulated time, without center, store, thread or clock. Due notices are shown immediately, and the
/// wall clock and the boot clock advance together.
package struct SimulatedRun: Sendable {
    /// The outcome of a span of time.
    package struct Outcome: Sendable {
        /// The shown notices in order, with the content that the user saw.
        package var shown: [DeliveredNotice] = []
        /// The notices that were not shown, with the reasons.
        package var unshown: [HistoryEntry] = []
        /// Whether the run ended early because the limit of shown notices was reached.
        package var isCut = false
    }

    /// The user's response to a notice, and its delay after the showing.
    package typealias PlannedResponse = (kind: NoticeResponse.Kind, delay: Duration)

    /// A request that may still be shown.
    private struct Content: Sendable {
        let request: Shared<NoticeRequest>
        /// Nil where a showing differs from others: of a later firing, or as a summary.
        let prepared: Shared<NoticeContent>?
    }

    private struct Reaction: Sendable, Identifiable {
        var notice: DeliveredNotice
        var kind: NoticeResponse.Kind
        var id: String { notice.id }
    }

    var schedule: Schedule
    var now: TriggerInstant
    /// The contents by revision, for as long as the schedule needs them.
    private var contents: [Int64: Content] = [:]
    private let categories: [String: NoticeCategory]
    private let languages: [String]
    private var orders = FIFOQueue<DeliveryOrder>()
    /// The reactions to come, each with its time in the queue.
    private var reactions = SlotTable<Reaction>()
    private var reactionQueue = DeadlineQueue()
    private var serial: Int64 = 0
    private var outcome = Outcome()
    /// The remaining fixes of the route, by time.
    private var way = FIFOQueue<LocationFix>()
    private var showingLimit = 0

    private static let bootID = "simulation"
    /// The largest number of entries about notices not shown, unless more showings were requested.
    private static let unshownLimit = 100_000
    /// The largest number of wake-ups in a row without progress that is not yet an endless loop.
    private static let idleLimit = 10_000

    /// - Parameters:
    ///   - pending: The notices that are pending at the start.
    ///   - languages: Best first, for requests without any; nil follows the current environment.
    package init(
        from start: Date,
        pending: [PendingNotice] = [],
        zone: ZoneRules,
        quietHours: QuietHours? = nil,
        limit: CenterOptions.PendingLimit? = nil,
        categories: [NoticeCategory] = [],
        languages: [String]? = nil
    ) throws(NoticeError) {
        try quietHours?.validate()
        try RequestValidation().validate(categories)
        now = TriggerInstant(wall: start.microsecondsSince1970, boot: 0)
        schedule = Schedule(limit: limit, zone: zone, at: now)
        self.categories = categories.byID
        self.languages = languages ?? LanguagePreference.current()
        var state = stored(pending)
        state.quietHours = quietHours
        state.clockMapping = ClockMapping(bootID: Self.bootID, instant: now, zone: zone.identifier)
        handle(.restored(state, bootID: Self.bootID))
        handle(.started)
    }

    package var date: Date { now.date }

    // MARK: Calls of the app

    /// Adds requests. Throws what a center's `add` throws for the requests themselves.
    package mutating func add(_ requests: [NoticeRequest]) throws(NoticeError) -> NoticeCenter.AddReport {
        for request in requests { try RequestValidation().validate(request) }
        return try change { schedule throws(NoticeError) in try schedule.add(requests) }
    }

    package mutating func add(_ series: NoticeSeries) throws(NoticeError) -> NoticeCenter.AddReport {
        let elements = try RequestValidation().elements(of: series, addedAt: now.date)
        return try change { schedule throws(NoticeError) in try schedule.addSeries(elements) }
    }

    package mutating func synchronize(_ wanted: OwnedRequests) throws(NoticeError) -> NoticeCenter.SynchronizationReport
    {
        for entry in wanted.entries {
            for request in entry.requests ?? [] { try RequestValidation().validate(request) }
        }
        return try change { schedule throws(NoticeError) in try schedule.synchronize(wanted, isTrial: false) }
    }

    /// Removes requests. Deliveries in flight need no wait here.
    package mutating func remove(_ ids: [String]) throws(NoticeError) {
        _ = change { $0.remove(ids, includingDelivered: false) }
    }

    package mutating func setQuietHours(_ hours: QuietHours?) throws(NoticeError) {
        try hours?.validate()
        change { $0.setQuietHours(hours) }
    }

    // MARK: Time

    /// Sets the route of the device from now on. A fix is known at the time it was made; fixes made before now, or
    /// before the preceding fix, are ignored.
    package mutating func travel(_ fixes: [LocationFix]) {
        way = FIFOQueue()
        for fix in fixes where fix.date.microsecondsSince1970 >= now.wall { way.append(fix) }
    }

    /// Advances time to an instant, from one wake-up to the next, and shows what is due until then, inclusive.
    ///
    /// - Parameters:
    ///   - atMost: The largest number of notices to show; a run that reaches it stops there.
    ///   - respond: Called at each showing. A showing comes before a response at the same instant. A response to a
    ///     notice that has left the screen is ignored.
    ///
    /// Throws ``NoticeError/Code/invalidContent`` if the user presses a button that the notice doesn't have.
    package mutating func run(
        until end: Date,
        atMost: Int,
        responding respond: (DeliveredNotice) -> PlannedResponse? = { _ in nil }
    ) throws(NoticeError) -> Outcome {
        let end = end.microsecondsSince1970
        showingLimit = max(0, atMost)
        var idle = 0
        try showWhatIsOrdered(respond)
        var wake = schedule.nextWake.map(wallTime)
        while !outcome.isCut {
            let fix = way.first?.date.microsecondsSince1970
            guard let next = earliest(wake, earliest(reactionQueue.first?.deadline, fix)), next <= end else { break }
            if next > now.wall { move(to: next) }
            let (before, came) = (now, outcome.shown.count + outcome.unshown.count)
            if let wake, wake <= now.wall {
                handle(.woke)
            } else if let fix, fix <= now.wall, let position = way.popFirst() {
                handle(.positionFix(position))
            } else if let item = reactionQueue.popFirst(dueAt: now.wall) {
                react(item.slot)
            }
            try showWhatIsOrdered(respond)
            wake = schedule.nextWake.map(wallTime)
            let isIdle = wake.map { $0 <= before.wall } ?? false
            idle = isIdle && came == outcome.shown.count + outcome.unshown.count ? idle + 1 : 0
            if idle > Self.idleLimit { outcome.isCut = true }
        }
        if !outcome.isCut, end > now.wall { move(to: end) }
        defer { outcome = Outcome(isCut: outcome.isCut) }
        return outcome
    }

    private mutating func move(to wall: Int64) {
        now = TriggerInstant(wall: wall, boot: now.boot + (wall - now.wall))
    }

    private func wallTime(_ deadline: WakeDeadline) -> Int64 {
        min(deadline.wall ?? .max, deadline.boot.map { $0 - now.boot + now.wall } ?? .max)
    }

    // MARK: Decisions of the schedule

    private mutating func handle(_ event: ScheduleEvent) { perform(schedule.handle(event, at: now)) }

    private mutating func change<Result: Sendable, Failure: Error>(
        _ decide: (inout Schedule) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let change = try schedule.change(at: now, decide)
        perform(change.transaction)
        return change.result
    }

    private mutating func perform(_ transaction: ScheduleTransaction) {
        for record in transaction.records { keep(record) }
        if !transaction.records.isEmpty { schedule.stored(at: now) }
        for effect in transaction.effects {
            switch effect {
            case .deliver(let order): orders.append(order)
            case .record(let entry): note(entry)
            // There is no screen, handler or waiting caller here; errors of requests are in the history.
            case .withdraw, .publish, .report, .conclude, .release: break
            }
        }
    }

    private mutating func keep(_ change: StoreChange) {
        switch change {
        case .putRequest(let request, let revision, _): keep(request, revision: revision)
        case .dropContent(let revision): contents[revision] = nil
        default: break
        }
    }

    mutating func keep(_ request: NoticeRequest, revision: Int64) {
        let isAlwaysSame = request.escalation.isEmpty && request.content.summary == nil
        contents[revision] = Content(
            request: Shared(request),
            prepared: isAlwaysSame ? Shared(completed(request.content, of: request)) : nil
        )
    }

    private func prepared(_ request: NoticeRequest, for order: DeliveryOrder) -> Shared<NoticeContent> {
        Shared(completed(request.content(of: order.record), of: request))
    }

    private func completed(_ content: NoticeContent, of request: NoticeRequest) -> NoticeContent {
        content.completed(with: category(of: content), for: request.languages ?? languages)
    }

    private func category(of content: NoticeContent) -> NoticeCategory? { content.category.flatMap { categories[$0] } }

    private mutating func note(_ entry: HistoryEntry) {
        switch entry.outcome {
        case .missed, .suppressed, .failed, .dropped, .removed, .dormant, .damaged: break
        case .delivered, .closed, .retrying, .responded, .replaced, .clockReset: return
        }
        guard outcome.unshown.count < max(Self.unshownLimit, showingLimit) else { return outcome.isCut = true }
        outcome.unshown.append(entry)
    }

    private mutating func showWhatIsOrdered(_ respond: (DeliveredNotice) -> PlannedResponse?) throws(NoticeError) {
        while !outcome.isCut, let order = orders.popFirst() { try show(order, respond) }
    }

    private mutating func show(
        _ order: DeliveryOrder,
        _ respond: (DeliveredNotice) -> PlannedResponse?
    ) throws(NoticeError) {
        let reference = order.reference
        guard schedule.isWanted(reference), let kept = contents[order.revision] else {
            let error = NoticeError(.rejected, "The notice '\(reference.requestID)' was canceled.")
            return handle(.deliveryFailed(reference, error))
        }
        var content = kept.prepared ?? prepared(kept.request.value, for: order)
        guard content.value.isDisplayed else {
            return handle(.givenToApp(reference, NoticeResponse(undisplayed: content.value, order, at: now)))
        }
        if order.isQuiet { content.value.makeQuiet() }
        guard outcome.shown.count < showingLimit else { return outcome.isCut = true }
        serial += 1
        let reportsDismissal = content.value.reportsDismissal || category(of: content.value)?.reportsDismissal ?? false
        // As by a server that shows a notice in the place of the one before.
        let receipt =
            schedule.replaced(by: order) ?? DeliveryReceipt(backend: "simulation", handle: String(serial))
        handle(.delivered(reference, receipt, reportsDismissal: reportsDismissal))
        let delivered = NoticeState.Delivered(
            order.record,
            shownAt: now,
            receipt,
            reportsDismissal: reportsDismissal
        )
        let notice = DeliveredNotice(delivered, content)
        outcome.shown.append(notice)
        if let response = respond(notice) { try plan(response, to: notice) }
    }

    // MARK: The user

    private mutating func plan(_ response: PlannedResponse, to notice: DeliveredNotice) throws(NoticeError) {
        try check(response.kind, notice)
        let slot = reactions.put(Reaction(notice: notice, kind: response.kind)).slot
        reactionQueue.set(slot: slot, deadline: now.wall + max(0, response.delay.microseconds), order: serial)
    }

    private func check(_ kind: NoticeResponse.Kind, _ notice: DeliveredNotice) throws(NoticeError) {
        let actions = notice.content.actions
        let isThere =
            switch kind {
            case .opened, .dismissed: true
            case .action(let id):
                actions.contains { $0.id == id } || SnoozeChoice(actionID: id) != nil
            case .reply(let id, _):
                actions.contains { if case .reply = $0.kind { $0.id == id } else { false } }
            }
        guard !isThere else { return }
        let names = actions.map { "'\($0.id)'" }.joined(separator: ", ")
        throw NoticeError(
            .invalidContent,
            "The notice '\(notice.requestID)' has nothing for the response \(kind); its actions are: "
                + "\(names.isEmpty ? "none" : names)."
        )
    }

    private mutating func react(_ slot: Int32) {
        guard let reaction = reactions.remove(slot) else { return }
        let notice = reaction.notice
        guard let delivered = schedule.notices[notice.requestID]?.delivered, delivered.deliveryID == notice.id else {
            return
        }
        serial += 1
        let response = NoticeResponse(
            id: "\(notice.id)/\(serial)",
            requestID: notice.requestID,
            deliveryID: notice.id,
            kind: reaction.kind,
            date: now.date,
            series: notice.series,
            userInfo: notice.content.userInfo,
            thread: delivered.traits.thread,
            snoozeCount: notice.snoozeCount
        )
        let event: ScheduleEvent =
            reaction.kind == .dismissed
            ? .closed(delivered.receipt.key, .dismissed, response: response) : .responded(response)
        handle(event)
    }
}
